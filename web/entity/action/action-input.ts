import { parseInput } from '#domain/field/validate.ts'
import { actionInputSchema, type EntityAction } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Field } from '#schemas/field/kind.ts'
import { isProblem } from '#web/api/failure.ts'
import { bodyValue, type FieldFault, type FormValues, fieldOfPath } from '#web/form/form-value.ts'
import { useProblemText } from '#web/form/use-problem-text.ts'

/** Input fields except internal ones. */
export const visibleInputFields = ({ input = {} }: EntityAction): readonly (readonly [string, Field])[] =>
  Object.entries(input).filter(([, { internal }]) => !internal)

export const initialInput = (action: EntityAction): FormValues =>
  Object.fromEntries(visibleInputFields(action).map(([name, field]) => [name, field.initial]))

/** Request body: every filled field; null for an empty required one. */
export const inputBody = (action: EntityAction, values: FormValues): JsonObject =>
  Object.fromEntries(
    visibleInputFields(action).flatMap(([name, field]) => {
      const value = bodyValue(field, values[name])
      return value === undefined || (value === null && !field.required) ? [] : [[name, value]]
    }),
  ) as JsonObject

/** Errors of the input in the server's words: of the check before it is sent, and of a refusal. */
export const useInputFaults = () => {
  const text = useProblemText()
  return {
    check(action: EntityAction, body: JsonObject): readonly FieldFault[] {
      const parsed = parseInput(actionInputSchema(action), body)
      const errors = parsed.ok ? [] : (parsed.refusal.errors ?? [])
      return errors.map(({ path, code, params }) => ({ path, message: text(`field.${code}`, params) }))
    },
    refused(failure: unknown, values: FormValues): readonly FieldFault[] {
      if (!isProblem(failure)) return []
      const told = failure.errors.map(error => ({ ...error, path: error.path.replace(/^input\./u, '') }))
      return told.flatMap(({ path, message }) =>
        message !== undefined && fieldOfPath(path) in values ? [{ path, message }] : [],
      )
    },
  }
}
