/**
 * `AuditExported`, the only event of `audit-<id>`: somebody took lines of the audit out of the console. Shaped like an
 * entity's event, so that it stands in the audit as one; `fields` are the filter that was exported and its format.
 */
export const auditStream = (id: string): string => `audit-${id}`
