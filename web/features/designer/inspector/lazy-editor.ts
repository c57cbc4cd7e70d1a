import { lazyModule } from '#web/lazy-module.ts'

/** The editor of expressions, fetched when a form first needs it; without it the fields are plain. */
export const expressionField = lazyModule(async () => (await import('./expression-field.tsx')).ExpressionField)

/** The editor of scripts, likewise. */
export const scriptField = lazyModule(async () => (await import('./script-field.tsx')).ScriptField)

/** Computes the values before each line of an assignment. */
export const assignedValues = lazyModule(
  async () => (await import('../blocks/assign/assigned-values.tsx')).AssignedValues,
)
