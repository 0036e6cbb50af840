/** The words of a text as a task id has them: lower case, with a hyphen for whatever is no letter or digit. */
export function slugOf(text: string, max = Number.POSITIVE_INFINITY): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, max)
    .replaceAll(/^-+|-+$/g, "");
}
