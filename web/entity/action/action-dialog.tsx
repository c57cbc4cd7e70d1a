import { Box, Button, Field, Input, Spacer, Stack, Text } from '@chakra-ui/react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntityAction } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Field as DeclaredField } from '#schemas/field/kind.ts'
import { failureOf } from '#web/api/failure.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { InstanceBadge } from '#web/components/instance-badge.tsx'
import { isConfirmed, Modal } from '#web/components/modal.tsx'
import type { Value } from '#web/entity/entity-query.ts'
import { FormField } from '#web/form/form-field.tsx'
import {
  type FieldFault,
  type FieldTexts,
  type FormValues,
  faultOf,
  fieldOfPath,
  nestedFaults,
} from '#web/form/form-value.ts'
import { initialInput, inputBody, useInputFaults, visibleInputFields } from './action-input.ts'

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
      open
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
      <form
        id={form}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void state.submit()
        }}
      >
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
