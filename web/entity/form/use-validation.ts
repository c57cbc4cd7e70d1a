import { useTranslation } from 'react-i18next'
import { validateChange, validateCreate } from '#domain/field/validate.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { FieldError } from '#schemas/refusal.ts'
import type { ToldError } from '#web/api/problem.ts'
import type { Row, Value } from '#web/entity/entity-query.ts'
import { type FormValues, fieldOfPath, unreadableJson } from '#web/form/form-value.ts'
import { useProblemText } from '#web/form/use-problem-text.ts'

/** Checks a body before it is sent, by the server's own rules and in its words. */
export const useValidation = (entity: EntityDeclaration, row: Row | undefined) => {
  const { t } = useTranslation('shell')
  const text = useProblemText()
  const messageOf = ({ path, code, params }: FieldError): string => {
    const field = entity.fields[path]
    const isChoice = field?.kind === 'reference' && field.rule === undefined && code === 'required'
    return isChoice ? t('form.unchosen') : text(`field.${code}`, params)
  }
  return async (values: FormValues, body: Readonly<Record<string, Value>>): Promise<readonly ToldError[]> => {
    const unreadable = unreadableJson(entity.fields, values).filter(path => fieldOfPath(path) in body)
    const result =
      row === undefined
        ? await validateCreate(entity, body)
        : await validateChange(entity, row as unknown as JsonObject, body)
    const errors = result.ok ? [] : (result.refusal.errors ?? [])
    return [
      ...unreadable.map(path => ({ path, code: 'format' as const, message: t('form.json') })),
      ...errors
        .filter(({ path }) => !unreadable.includes(path))
        .map(error => ({ ...error, message: messageOf(error) })),
    ]
  }
}
