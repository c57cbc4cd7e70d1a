/**
 * Events in `audit-<id>`, shaped like events of an entity, so that the audit lists them.
 * - `AuditExported`: a user exported lines of the audit; `fields` are the filter and the format.
 * - `ConversationForgotten`: the words of a person in `fields.conversation` can no longer be read.
 * - `ConversationTakenOver`, `ConversationAssigned`, `ConversationTransferred`, `ConversationPrioritized`,
 *   `ConversationClosed`: a user acted on a chat at the desk that another one held, or that a bot had.
 * - `AgentStateSet`: a supervisor set the state of `fields.user` as an agent.
 * - `ContactForgotten`: the data of `fields.contact` can no longer be read.
 * - `NumberSuppressed`, `NumberResumed`, `NumbersImported`, `NumbersExported`: a user changed or exported a list of
 *   opted-out numbers; no field contains a number.
 */
export const auditStream = (id: string): string => `audit-${id}`
