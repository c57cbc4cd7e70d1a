import type { OperandType } from '#schemas/blocks/comparison.ts'
import { useNames } from '../../session/names-context.ts'

const TYPES: Readonly<Record<string, OperandType>> = {
  string: 'string',
  number: 'numeric',
  boolean: 'boolean',
  date: 'date',
  object: 'object',
  array: 'array',
}

/** The type of the bot's variables as an operand; a list with a schema is a list of objects. */
export const useTypeOf = (): ((variable: string) => OperandType | undefined) => {
  const { variables } = useNames()
  return name => {
    const found = variables?.find(variable => variable.name === name)
    if (found?.datatype === 'array' && (found.schema ?? '') !== '') return 'array-object'
    return found?.datatype === undefined ? undefined : TYPES[found.datatype]
  }
}
