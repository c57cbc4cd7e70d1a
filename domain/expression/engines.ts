import type { Engine, EngineName } from './engine.ts'

/** Each engine loads separately, on first use of its language. */
const OPENERS: Readonly<Record<EngineName, () => Promise<Engine>>> = {
  Jexl: async () => (await import('./jexl.ts')).jexl,
  ExprEval: async () => (await import('./expr-eval.ts')).exprEval,
  JsonAta: async () => (await import('./json-ata.ts')).jsonAta,
  JSONPath: async () => (await import('./json-path.ts')).jsonPath,
}

export const openEngine = (name: EngineName): Promise<Engine> => OPENERS[name]()
