export { errorCodes, errorTable, isErrorCode, type ErrorCode, type ErrorDefinition } from "./errors.ts";
