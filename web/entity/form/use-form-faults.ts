import { useCallback, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { validateChange, validateCreate } from '#domain/field/validate.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { FieldError } from '#schemas/refusal.ts'
import { isProblem, type LocalizedFieldProblem } from '#web/api/failure.ts'
import type { Row, Value } from '#web/entity/entity-query.ts'
import { inSentence, useLabel } from '#web/entity/label.ts'
import { changeBody, createBody, type FormValues, fieldOfPath, invalidJsonPaths } from '#web/form/form-value.ts'
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
  return async (
    values: FormValues,
    body: Readonly<Record<string, Value>>,
  ): Promise<readonly LocalizedFieldProblem[]> => {
    const unreadable = invalidJsonPaths(entity.fields, values).filter(path => fieldOfPath(path) in body)
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

type Body = Readonly<Record<string, Value>>

interface Options {
  readonly entity: EntityDeclaration
  readonly row: Row | undefined
  readonly fixed: Readonly<Record<string, string>>
  readonly form: UseFormReturn<FormValues>
}

/** The body that a save would send now. */
export const bodyOf = ({ entity, row, fixed, form }: Options): Body => {
  const values = { ...form.getValues(), ...fixed }
  const dirty = Object.keys(form.formState.dirtyFields)
  return row === undefined ? createBody(entity, values) : changeBody(entity, values, dirty)
}

/** The errors of a form: from the browser's checks, on leaving a field and on saving, and from the server. */
export const useFormFaults = (options: Options) => {
  const { entity, row, form } = options
  const { t } = useTranslation('shell')
  const text = useProblemText()
  const label = useLabel()
  const validate = useValidation(entity, row)
  const [errors, setErrors] = useState<readonly LocalizedFieldProblem[]>([])
  const [failure, setFailure] = useState<string>()
  const [refusals, setRefusals] = useState(0)
  const latest = useRef(0)

  const refuse = (found: readonly LocalizedFieldProblem[], message: string) => {
    setErrors(found)
    setFailure(message)
    setRefusals(count => count + 1)
  }

  const clear = useCallback(() => {
    latest.current += 1
    setErrors([])
    setFailure(undefined)
  }, [])

  /** Checks a field that was changed, or that has an error. An untouched required field is not reported yet. */
  const check = async (name: string) => {
    const isTouched = name in form.formState.dirtyFields || errors.some(({ path }) => fieldOfPath(path) === name)
    if (!isTouched) return
    latest.current += 1
    const turn = latest.current
    const body = bodyOf(options)
    const found = await validate(form.getValues(), body)
    if (turn !== latest.current) return
    const isOf = ({ path }: LocalizedFieldProblem) => fieldOfPath(path) === name
    setErrors(before => [...before.filter(error => !isOf(error)), ...found.filter(isOf)])
  }

  /** Whether the browser's checks let the body be sent. */
  const isSendable = async (body: Body): Promise<boolean> => {
    const found = await validate(form.getValues(), body)
    if (found.length > 0) refuse(found, text('validation.failed'))
    return found.length === 0
  }

  const fail = (error: unknown) => {
    if (isProblem(error) && error.code === 'entity.conflict') return
    const isAnswered = isProblem(error) && error.code !== 'network'
    const plain = isAnswered ? error.message : t('error.noanswer')
    const isRefused = isAnswered && error.status < 500
    const couldNot =
      label.message(entity.name, 'message.notsaved') ??
      (isRefused ? undefined : t('notsaved', { name: inSentence(label.name(entity.name)) }))
    refuse(isProblem(error) ? error.errors : [], couldNot === undefined ? plain : `${couldNot}: ${plain}`)
  }

  return { errors, failure, refusals, clear, check, isSendable, fail }
}
