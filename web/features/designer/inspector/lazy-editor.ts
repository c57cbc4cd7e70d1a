import { latePart } from '#web/lazy-module.ts'

/** The editor of expressions, fetched when a form first needs it; without it the fields are plain. */
export const expressionField = latePart(async () => (await import('./expression-field.tsx')).ExpressionField)

/** The editor of scripts, likewise. */
export const scriptField = latePart(async () => (await import('./script-field.tsx')).ScriptField)

/** Computes the values before each line of an assignment. */
export const assignedValues = latePart(
  async () => (await import('../blocks/assign/assigned-values.tsx')).AssignedValues,
)
