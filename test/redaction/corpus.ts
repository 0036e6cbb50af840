/** Made-up secrets and harmless look-alikes, as tables: what the redactor must find, and what it must leave. */

/** A text that holds a secret; nothing of the secret may be left behind. */
export type SecretCase = { readonly name: string; readonly text: string; readonly secret: string };

/** Puts vendor prefixes together here, so that no scanner takes this file for a leak. */
const made = (...parts: readonly string[]): string => parts.join("");

const plain = "made-up-value-0042";
const short = "m4de";
const letters = "abcdefghijklmnopqrstuvwxyz";
const alphabet = `${letters}0123456789`;

/** `$` stands for the secret. */
const secretCase = (name: string, text: string, secret: string): SecretCase => ({
  name,
  text: text.replaceAll("$", () => secret),
  secret,
});

export const ASSIGNMENTS: readonly SecretCase[] = [
  secretCase("shell variable before a command", "DB_PASSWORD=$ npm test", "x"),
  secretCase("exported variable", "export API_TOKEN=$", plain),
  secretCase("quoted variable", 'export API_TOKEN="$"', plain),
  secretCase("variable before a separator", "API_KEY=$;npm test", plain),
  secretCase("settings file with blanks", "password = $", plain),
  secretCase("settings file, next line", "user = ada\npasswd = $\nhost = db", plain),
  secretCase("line of an environment file", "PORT=1\nCLIENT_SECRET=$\nHOST=h", plain),
  secretCase("JSON", '{"password": "$"}', short),
  secretCase("JSON without blanks", '{"user":"ada","accessToken":"$","n":1}', plain),
  secretCase("JSON inside JSON", String.raw`{"body":"{\"clientSecret\":\"$\"}"}`, plain),
  secretCase("JSON with a quote in the value", '{"password": "$"}', String.raw`a\"b42`),
  secretCase("JSON list", '{"refresh_tokens": ["$", "null"]}', plain),
  secretCase("line break inside JSON text", String.raw`{"out":"ok\npassword=$\ndone"}`, plain),
  secretCase("single quotes", "{ passphrase: '$' }", "two made up words"),
  secretCase("key in single quotes", "{'signing_key': '$'}", plain),
  secretCase("template quotes", "const apiKey = `$`;", plain),
  secretCase("typed declaration", 'const token: string = "$";', plain),
  secretCase("declaration on two lines", 'const refreshToken =\n  "$";', plain),
  secretCase("hash rocket", '{ :password => "$" }', plain),
  secretCase("subscript", 'config["password"] = "$"', plain),
  secretCase("YAML", "db:\n  password: $\n  port: 5432", "made-up8"),
  secretCase("YAML with a key that has other meanings", "token: $", "made-up-0012"),
  secretCase("words with a blank", "API key: $", plain),
  secretCase("Markdown", "**Password:** $", plain),
  secretCase("command option with =", "deploy --api-key=$ --dry-run", short),
  secretCase("command option with a blank", "deploy --password $ --dry-run", short),
  secretCase("command option in quotes", "deploy --token '$'", "made up 42"),
  secretCase("list of arguments", '["deploy", "--token", "$"]', plain),
  secretCase("query parameter", "GET /items?page=2&access_token=$&sort=up", plain),
  secretCase(
    "two columns",
    "aws_secret_access_key  $",
    made("Made+Up/Value0", alphabet.slice(0, 26)),
  ),
  secretCase("XML element", "<server><password>$</password></server>", "made up 42"),
  secretCase("value with brackets and commas", "PASSWORD=$ npm test", "a,b)c]d}e'f42"),
  secretCase("blank behind the sign", "HOST=h\nDB_PASSWORD= $\nPORT=1", plain),
  secretCase("apostrophe in single quotes", "password: '$'", "it''s 42"),
  secretCase("property of a build tool", "gradle -Ppassword=$ test", short),
  secretCase("blank behind a backslash", "PASSWORD=$ npm test", String.raw`made\ up42`),
  secretCase("cut off in the middle", '{"password": "$', plain),
  secretCase("coloured output", "\u001b[1;32mpassword=$\u001b[0m", plain),
];

export const VENDOR_TOKENS: readonly SecretCase[] = [
  secretCase("AWS access key id", "id $ used", made("AK", "IA", "MADEUPMADEUP0042")),
  secretCase("GitHub token", "remote: $", made("gh", "p_", letters)),
  secretCase(
    "GitHub fine-grained token",
    "using $.",
    made("github", "_pat_", "11MADEUP", "_", letters),
  ),
  secretCase("OpenAI style key", "key $ rejected", made("sk", "-test-", letters, "abcdefghijklmn")),
  secretCase(
    "Anthropic style key",
    "key '$'",
    made("sk", "-ant-", "api03-", alphabet, "-", letters),
  ),
  secretCase("Stripe key", "charge with $", made("sk", "_live_", alphabet)),
  secretCase("Slack token", "post $", made("xo", "xb-", "0123456789-", letters)),
  secretCase("npm token", "//registry/:x=$", made("np", "m_", alphabet)),
  secretCase("Google key", "maps?k=$", made("AI", "za", "Made_Up-", alphabet)),
  secretCase("GitLab token", "clone with $", made("gl", "pat-", "made_up-", letters)),
  secretCase("Hugging Face token", "pull $", made("h", "f_", alphabet)),
  secretCase(
    "JSON Web Token",
    "cookie $;",
    made("ey", "JtYWRlIjoidXAifQ", ".eyJtYWRlIjoidXAifQ", ".c2lnbmF0dXJl-_"),
  ),
  secretCase("token behind a line break in JSON", String.raw`"log\n$"`, made("sk", "-", alphabet)),
];

const keyText = Array.from({ length: 4 }, () => made("MadeUp", alphabet, "MadeUp")).join("\n");
const keyEdge = (edge: string, kind: string): string =>
  made("-----", edge, " ", kind, "PRIVATE ", "KEY-----");

export const PRIVATE_KEYS: readonly SecretCase[] = [
  secretCase(
    "private key",
    `before\n${keyEdge("BEGIN", "")}\n$\n${keyEdge("END", "")}\nafter`,
    keyText,
  ),
  secretCase(
    "private key of a kind, inside JSON",
    `{"pem":"${keyEdge("BEGIN", "OPENSSH ")}\\n$\\n${keyEdge("END", "OPENSSH ")}\\n"}`,
    keyText.replaceAll("\n", "\\n"),
  ),
  secretCase(
    "private key that is cut off",
    `${keyEdge("BEGIN", "RSA ")}\nProc-Type: 4,ENCRYPTED\n\n$`,
    keyText,
  ),
];

export const CREDENTIAL_URLS: readonly SecretCase[] = [
  secretCase("PostgreSQL", "postgres://u:$@db/x", "hunter2demo"),
  secretCase("MySQL", "url=mysql://root:$@localhost:3306/shop", short),
  secretCase("MongoDB", "mongodb+srv://ada:$@cluster.example/db", plain),
  secretCase("Redis without a user", "redis://:$@cache:6379/0", plain),
  secretCase("message broker", "amqp://guest:$@mq", plain),
  secretCase("HTTPS remote", "fatal: could not read https://ada:$@git.example/r.git", plain),
  secretCase("file transfer", "ftp://ada:$@files.example", plain),
  secretCase("driver prefix", "jdbc:postgresql://u:$@db/x", plain),
  secretCase("password with an @", "https://ada:$@host/x", "ma@de-up"),
];

export const AUTHORIZATION_HEADERS: readonly SecretCase[] = [
  secretCase("bearer, short", "Authorization: Bearer $", short),
  secretCase("bearer in a command", 'curl -H "Authorization: Bearer $" https://api.example', plain),
  secretCase("basic", "authorization: basic $", "bTpk"),
  secretCase(
    "digest with parameters",
    "Authorization: Digest $\nHost: h",
    'username="ada", response="42"',
  ),
  secretCase(
    "digest in a command",
    "curl -H 'Authorization: Digest $' https://api.example",
    'username="ada", response="42"',
  ),
  secretCase("unknown scheme, one long word", "Proxy-Authorization: $", plain),
  secretCase("unknown scheme, two words", "Authorization: Custom $", plain),
  secretCase("JSON", '{"headers":{"Authorization":"Bearer $"}}', short),
  secretCase("bearer without a header", "sent bearer $ to the server", made("Made.Up_", alphabet)),
  secretCase("basic without a header", "sent Basic $ to the server", "bWFkZTp1cDQyNDI="),
];

/** Texts that look like secrets and must come back as they are. */
export const BENIGN: readonly (readonly [name: string, text: string])[] = [
  ["git commit", "commit 3f786850e387550fdab836ed7e6dc881de23001b"],
  ["SHA-256 digest", "tree 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
  ["integrity text", `"integrity": "sha512-${alphabet.repeat(2)}=="`],
  ["UUID", "run 0190a5b0-1234-7abc-8def-0123456789ab"],
  ["time", "at 2026-01-02T03:04:05.678Z"],
  ["request and call ids", "req_011CSHoEeqs5C35K2UUqR7Fy toolu_01A09q90qw90lq917835lq9"],
  ["model ids", "claude-opus-4-1-20250805 gpt-4o-mini-2024-07-18"],
  ["plain URL", "https://docs.example/a/b?page=2&sort=up#part"],
  ["URL with a port and an address", "http://localhost:3000/path mail ada@host.example"],
  ["remote with a user", "ssh://git@host.example:22/r.git git@host.example:r.git"],
  ["public key", "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZI\n-----END PUBLIC KEY-----"],
  ["mention of a key's first line", `grep -rn "${keyEdge("BEGIN", "")}" src`],
  ["prose on a secret", "The secret: always run tests"],
  ["prose on a token", "Unexpected token: identifier (line 3, column 9)"],
  ["prose on authentication", "Basic authentication and bearer authentication are supported."],
  ["prose on an option", "Pass --token to choose another account, or the --password flag."],
  ["message on a password", "password: must contain at least 8 characters"],
  ["message that a field is required", "password: required"],
  ["help text", "  --token <TOKEN>    the token to use\n  --api-key API_KEY  the key"],
  ["comparison", "if (token === undefined) return;"],
  ["other comparison", 'while (token.kind !== "eof" && password == null) {}'],
  ["type annotation", "function read(token: CancellationToken, password?: string): Promise<void>"],
  ["field of the same name", "return { password: options.password, token: request.accessToken };"],
  ["call", "const token = await readToken(file); const secret = deriveSecret(seed);"],
  ["environment lookup", "const apiKey = process.env.API_KEY;"],
  ["arrow function", "const withToken = (token) => token.text;"],
  ["shell variable", 'curl -H "Authorization: Bearer $API_TOKEN" -d password=$PASSWORD'],
  ["other variables", 'password=$PW secret=%DB_PW% passwd: $env:PW "token": "$HOME"'],
  ["fields of objects", "secret = self.settings; token: this.currentWord"],
  ["header put together", 'headers["Authorization"] = "Bearer " + text'],
  ["command substitution", "GITHUB_TOKEN=$(gh auth token) npm test"],
  ["workflow expression", made("token: $", "{{ secrets.GITHUB_TOKEN }}")],
  ["template variable", made("url(`/items?token=$", "{itemToken}`, page)")],
  ["option without a value", "deploy --token --dry-run"],
  ["count in quotes", '{"tokens":"1500"}'],
  [
    "nested objects",
    '{"secret":{"description":"none"},"token":{"kind":"word","line":3},"tokens":[1,2]}',
  ],
  ["prompt", 'read("Your password: ", answer); print("token:", kind)'],
  [
    "table of names",
    "[Lexer.END_TOKEN]: appendComment, [set up the credentials]: https://docs.example",
  ],
  ["numbered kinds", "EndOfFileToken = 1, OpenBraceToken = 19"],
  ["emptied variable", "API_TOKEN= npm test"],
  [
    "placeholders",
    'password=<your password>, token="changeme", secret: null, API_KEY=your-key-here',
  ],
  ["another redactor's marker", "password=*** token=[REDACTED] secret=xxx"],
  ["current folder", "PWD=/home/ada/projects/shop"],
  ["counts", "tokens=1500 max_tokens: 4096 prompt_tokens=12 retry_token_count=3"],
  [
    "keys that only hold the word",
    'passwordPolicy="strict" semanticTokenType: keywordControl secretName=db',
  ],
  ["style sheet class", "sk-folding-cube-container task-list-item-with-long-name"],
  ["commands", "npm test && node --test && npx vitest run test/cart"],
  ["globs and paths", "src/auth/**/*.ts test/tokens/token.test.ts:12:5 .env* !dist"],
  ["criterion", "addItem(0) throws RangeError; sessions expire after 30 minutes"],
  ["npm settings", "npm_config_registry npm_lifecycle_event=test"],
  ["emoji and other scripts", "✓ готово 完了 👩‍👩‍👧"],
];

/** Random text that nothing labels: entropy alone is no proof, so it is left (see docs/redaction.md). */
export const UNLABELLED: readonly (readonly [name: string, text: string])[] = [
  ["base64 of a secret", "cG9zdGdyZXM6Ly91Omh1bnRlcjJkZW1vQGRiL3g="],
  ["random base64", "q83vEjRWeJq83vEjRWeJq83vEjRWeJ+/AA=="],
  ["random hex", "c0ffee42c0ffee42c0ffee42c0ffee42"],
  ["random letters", "kzqvxwjhgfdsapoiuytrewqmnbvcxz"],
  ["user and password of an option", "curl -u ada:made-up https://api.example"],
  ["cookie", "Cookie: sid=made-up-0042"],
];
