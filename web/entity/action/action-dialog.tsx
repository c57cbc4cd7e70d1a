import { Box, Button, Field, Input, Spacer, Stack, Text } from '@chakra-ui/react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseInput } from '#domain/field/validate.ts'
import { actionInputSchema, type EntityAction } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Field as DeclaredField } from '#schemas/field/kind.ts'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { InstanceBadge } from '#web/components/instance-badge.tsx'
import { isConfirmed, Modal } from '#web/components/modal.tsx'
import { submits } from '#web/components/submits.ts'
import type { Value } from '#web/entity/entity-query.ts'
import { FormField } from '#web/form/form-field.tsx'
import {
  bodyValue,
  type FieldFault,
  type FieldTexts,
  type FormValues,
  faultOf,
  fieldOfPath,
  nestedFaults,
} from '#web/form/form-value.ts'
import { useProblemText } from '#web/form/use-problem-text.ts'

/** Input fields except internal ones. */
export const visibleInputFields = ({ input = {} }: EntityAction): readonly (readonly [string, DeclaredField])[] =>
  Object.entries(input).filter(([, { internal }]) => !internal)

const initialInput = (action: EntityAction): FormValues =>
  Object.fromEntries(visibleInputFields(action).map(([name, field]) => [name, field.initial]))

/** Request body: every filled field; null for an empty required one. */
const inputBody = (action: EntityAction, values: FormValues): JsonObject =>
  Object.fromEntries(
    visibleInputFields(action).flatMap(([name, field]) => {
      const value = bodyValue(field, values[name])
      return value === undefined || (value === null && !field.required) ? [] : [[name, value]]
    }),
  ) as JsonObject

/** Errors of the input in the server's words: of the check before it is sent, and of a refusal. */
const useInputFaults = () => {
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

interface Props {
  readonly action: EntityAction
  readonly title: string
  /** Effect of the action, or its question. */
  readonly text: string | undefined
  /** The verb of the title. */
  readonly verb: string
  readonly icon?: ReactNode
  /** Shown on failure without a reason from the server. */
  readonly couldNot?: string | undefined
  texts(field: string): FieldTexts
  /** Rejects with the server's refusal. */
  onSubmit(body: JsonObject): Promise<unknown>
  readonly details?: (failure: unknown) => ReactNode
  onClose(): void
}

const ConfirmWord = ({ typed, first, onType }: { typed: string; first: boolean; onType: (typed: string) => void }) => {
  const { t } = useTranslation('shell')
  return (
    <Field.Root>
      <Field.Label>{t('confirm.type', { word: t('confirm.word') })}</Field.Label>
      <Input
        {...(first ? { 'data-autofocus': '' } : {})}
        fontFamily="mono"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={typed}
        onChange={event => onType(event.target.value)}
      />
    </Field.Root>
  )
}

const useAction = ({ action, couldNot, onSubmit, onClose }: Props) => {
  const { t } = useTranslation('shell')
  const faults = useInputFaults()
  const [values, setValues] = useState(() => initialInput(action))
  const [errors, setErrors] = useState<readonly FieldFault[]>([])
  const [failure, setFailure] = useState<{ readonly text: string; readonly reason: unknown }>()
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const isTyped = action.confirm === 'typed'
  const isReady = !isTyped || isConfirmed(typed, t('confirm.word'))
  const submit = async () => {
    if (isBusy || !isReady) return
    const body = inputBody(action, values)
    const found = faults.check(action, body)
    setErrors(found)
    setFailure(undefined)
    if (found.length > 0) return
    setBusy(true)
    try {
      await onSubmit(isTyped ? { ...body, confirm: 'CONFIRM' } : body)
      onClose()
    } catch (reason) {
      const told = faults.refused(reason, values)
      setErrors(told)
      const plain = reason instanceof Error ? reason.message : t('error.noanswer')
      if (told.length === 0) setFailure({ text: couldNot === undefined ? plain : failureOf(reason, couldNot), reason })
      setBusy(false)
    }
  }
  const change = (name: string, value: unknown) => {
    setValues(before => ({ ...before, [name]: value }))
    setErrors(before => before.filter(({ path }) => fieldOfPath(path) !== name))
  }
  return { values, errors, failure, typed, isBusy, isTyped, isReady, submit, change, setTyped }
}

interface InputProps {
  readonly name: string
  readonly field: DeclaredField
  readonly texts: FieldTexts
  readonly values: FormValues
  readonly errors: readonly FieldFault[]
  onChange(name: string, value: unknown): void
}

const InputField = ({ name, field, texts, values, errors, onChange }: InputProps) => (
  <FormField
    name={name}
    field={field}
    texts={texts}
    value={values[name] as Value | undefined}
    secret={false}
    readOnly={false}
    values={values as JsonObject}
    onChange={value => onChange(name, value)}
    onCleared={() => undefined}
    faults={nestedFaults(errors, name)}
    error={faultOf(name, field, errors)?.message}
  />
)

/** Asks before a declared action: its question, its input, and CONFIRM where that must be typed. */
export const ActionDialog = (props: Props) => {
  const { action, title, text, verb, icon, texts, details, onClose } = props
  const { t } = useTranslation('shell')
  const state = useAction(props)
  const form = useId()
  const fields = visibleInputFields(action)
  const isDanger = action.danger === true || state.isTyped
  return (
    <Modal
      alert
      title={title}
      {...(icon === undefined ? {} : { icon })}
      {...(isDanger ? { tone: 'danger' as const } : {})}
      onClose={onClose}
      footer={
        <>
          {isDanger ? <InstanceBadge /> : null}
          <Spacer />
          <Button variant="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            {...(fields.length === 0 && !state.isTyped ? { 'data-autofocus': '' } : {})}
            variant="solid"
            {...(isDanger ? { colorPalette: 'danger' } : {})}
            disabled={!state.isReady}
            loading={state.isBusy}
            type="submit"
            form={form}
          >
            {verb}
          </Button>
        </>
      }
    >
      {text === undefined ? null : (
        <Text textStyle="body" color="fg.muted" mb="3">
          {text}
        </Text>
      )}
      <form id={form} noValidate onSubmit={submits(() => state.submit())}>
        <Stack gap="4">
          {fields.map(([name, field]) => (
            <InputField
              key={name}
              name={name}
              field={field}
              texts={texts(name)}
              values={state.values}
              errors={state.errors}
              onChange={state.change}
            />
          ))}
          {state.isTyped ? (
            <ConfirmWord typed={state.typed} first={fields.length === 0} onType={state.setTyped} />
          ) : null}
        </Stack>
      </form>
      {state.failure === undefined ? null : (
        <Box mt="3">
          <ErrorLine text={state.failure.text}>{details?.(state.failure.reason)}</ErrorLine>
        </Box>
      )}
    </Modal>
  )
}
