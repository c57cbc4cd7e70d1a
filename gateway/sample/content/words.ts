/** An intent of the sample. */
export interface IntentPlan {
  readonly name: string
  readonly description?: string
  /** Entities are marked in them. */
  readonly statements: readonly string[]
}

/** Statements that are written side by side. */
export const lines = (text: string): readonly string[] =>
  text
    .split(/[|\n]/u)
    .map(line => line.trim())
    .filter(line => line !== '')
