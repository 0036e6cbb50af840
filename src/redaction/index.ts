export { sensitiveEnvironment } from "./environment.ts";
export { LITERAL_LENGTH_MIN, REDACTION_MARKER, REDACTOR_VERSION } from "./limits.ts";
export { createRedactor, type Redactor } from "./redactor.ts";
