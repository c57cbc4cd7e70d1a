import type { Outcome } from '#domain/expression/fault.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, own, record } from '#schemas/json.ts'

/** One line of an assignment: the variable, or a path in one (`order.total`), and a text with placeholders. */
export interface AssignedLine {
  readonly name: string
  readonly value: string
}

const PATH = /^[^.[\]\s]+(?:\.[^.[\]\s]+)*$/u

const put = (into: JsonObject, [first = '', ...rest]: readonly string[], value: Json): JsonObject => {
  const held = own(into, first)
  const made = rest.length === 0 ? value : put(isObject(held) ? held : {}, rest, value)
  return record([...Object.entries(into).filter(([name]) => name !== first), [first, made]])
}

/** The variables with one of them, or a member of one, set; as they were for a name that is none. */
export const withAssigned = (variables: JsonObject, name: string, value: Json): JsonObject =>
  PATH.test(name) ? put(variables, name.split('.'), value) : variables

/** The variables before each line of an assignment: earlier lines are applied. A line that fails sets nothing. */
export const assignedBefore = async (
  lines: readonly AssignedLine[],
  variables: JsonObject,
  evaluate: (text: string, variables: JsonObject) => Promise<Outcome<unknown>>,
): Promise<readonly JsonObject[]> => {
  const found: JsonObject[] = []
  let held = variables
  for (const { name, value } of lines) {
    found.push(held)
    const outcome = await evaluate(value, held)
    if (outcome.ok) held = withAssigned(held, name.trim(), (outcome.value ?? null) as Json)
  }
  return found
}
