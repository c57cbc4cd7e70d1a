/**
 * `AuditExported` in `audit-<id>`: somebody took lines of the audit out of the console. Shaped like an
 * entity's event, so that it stands in the audit as one; `fields` are the filter that was exported and its format.
 * `ConversationForgotten` in a stream of the same kind: the words of a person in a conversation, `fields.conversation`, cannot
 * be read any more. `ContactForgotten`: nothing of a contact, `fields.contact`, can be read any more.
 * `NumberSuppressed`, `NumberResumed`, `NumbersImported`, `NumbersExported`: a person changed or took a list of opted-out numbers; no field is a number.
 */
export const auditStream = (id: string): string => `audit-${id}`
