import { Box, Button, HStack, Input, InputGroup, NativeSelect, Switch, Text, Textarea } from '@chakra-ui/react'
import { LockKeyhole } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Field } from '#schemas/field/kind.ts'
import { PasswordInput } from '#web/components/password-input.tsx'
import type { Value } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { ReferencePicker, ReferencesPicker } from '#web/form/control/reference-picker.tsx'
import { momentOf } from '#web/format/time.ts'
import { StringsInput } from './strings-input.tsx'

export interface ControlProps {
  readonly id: string
  readonly entity: string
  readonly name: string
  readonly field: Field
  readonly value: Value | undefined
  readonly secret: boolean
  readonly readOnly: boolean
  readonly invalid: boolean
  readonly within: Readonly<Record<string, string>>
  onChange(value: Value): void
}

const text = (value: Value | undefined) => (value === null || value === undefined ? '' : String(value))

const Secret = ({ id, value, readOnly, field, onChange }: ControlProps) => {
  const { t } = useTranslation('shell')
  const kept = typeof value === 'object' && value !== null
  const [replacing, setReplacing] = useState(!kept)
  if (kept && !replacing) {
    return (
      <HStack
        w="100%"
        h={{ base: '11', md: '8' }}
        px="2.5"
        borderWidth="1px"
        borderRadius="md"
        bg="bg.subtle"
        justify="space-between"
      >
        <HStack gap="2" fontSize="sm" color="fg.muted">
          <LockKeyhole size={14} aria-hidden="true" />
          {t('form.set')}
        </HStack>
        {readOnly ? null : (
          <Button
            variant="plain"
            onClick={() => {
              setReplacing(true)
              onChange('')
            }}
          >
            {t('form.replace')}
          </Button>
        )}
      </HStack>
    )
  }
  if (field.kind === 'text')
    return <Textarea id={id} value={text(value)} readOnly={readOnly} onChange={event => onChange(event.target.value)} />
  return (
    <PasswordInput
      id={id}
      autoComplete="new-password"
      value={kept ? '' : text(value)}
      readOnly={readOnly}
      onChange={event => onChange(event.target.value)}
    />
  )
}

const NumberControl = ({ id, field, value, readOnly, onChange }: ControlProps) => (
  <InputGroup
    endElement={
      field.unit ? (
        <Text textStyle="secondary" color="fg.subtle">
          {field.unit}
        </Text>
      ) : undefined
    }
  >
    <Input
      id={id}
      inputMode={field.kind !== 'number' ? 'numeric' : 'decimal'}
      type="number"
      step={field.kind !== 'number' ? 1 : 'any'}
      value={text(value)}
      readOnly={readOnly}
      onChange={event => onChange(event.target.value === '' ? null : event.target.valueAsNumber)}
    />
  </InputGroup>
)

const ROWS: Readonly<Record<string, number>> = { text: 2, markdown: 8, code: 12, json: 10 }

/** The control that a field's kind asks for. */
export const FieldControl = (props: ControlProps) => {
  const { id, entity, name, field, value, secret, readOnly, invalid, within, onChange } = props
  const { t } = useTranslation('shell')
  const label = useLabel()
  if (secret || field.kind === 'password') return <Secret {...props} />
  switch (field.kind) {
    case 'boolean':
      return (
        <Switch.Root
          checked={value === true}
          disabled={readOnly}
          onCheckedChange={change => onChange(change.checked)}
          ids={{ hiddenInput: id }}
        >
          <Switch.HiddenInput />
          <Switch.Control />
        </Switch.Root>
      )
    case 'enumeration':
      return (
        <NativeSelect.Root disabled={readOnly} invalid={invalid}>
          <NativeSelect.Field id={id} value={text(value)} onChange={event => onChange(event.target.value || null)}>
            {field.required ? null : <option value="">{t('form.none')}</option>}
            {field.options?.map(option => (
              <option key={option} value={option}>
                {label.option(entity, name, option)}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      )
    case 'reference':
      return (
        <ReferencePicker
          id={id}
          required={field.required}
          to={field.to ?? ''}
          within={within}
          disabled={readOnly}
          invalid={invalid}
          value={typeof value === 'string' ? value : null}
          onChange={onChange}
        />
      )
    case 'references':
      return (
        <ReferencesPicker
          id={id}
          to={field.to ?? ''}
          within={within}
          disabled={readOnly}
          invalid={invalid}
          value={Array.isArray(value) ? value.map(String) : []}
          onChange={onChange}
        />
      )
    case 'strings':
      return (
        <StringsInput
          id={id}
          value={Array.isArray(value) ? value.map(String) : []}
          disabled={readOnly}
          onChange={onChange}
        />
      )
    case 'integer':
    case 'number':
    case 'duration':
      return <NumberControl {...props} />
    case 'text':
    case 'expression':
    case 'markdown':
    case 'code':
    case 'json':
      return (
        <Textarea
          id={id}
          rows={ROWS[field.kind] ?? 3}
          autoresize={field.kind === 'text'}
          {...(field.kind === 'text'
            ? {}
            : { fontFamily: 'mono', fontSize: { base: '16px', md: 'xs' }, lineHeight: '20px', spellCheck: false })}
          value={text(value)}
          readOnly={readOnly}
          onChange={event => onChange(event.target.value)}
        />
      )
    case 'time':
      return (
        <Box h="8" lineHeight="32px" fontSize="sm" id={id}>
          {value ? momentOf(String(value)) : '–'}
        </Box>
      )
    case 'email':
    case 'string':
    case 'url':
    case 'phone':
    case 'color':
    case 'cron':
      return (
        <Input
          id={id}
          type={field.kind === 'email' ? 'email' : 'text'}
          {...(field.max === undefined ? {} : { maxLength: field.max })}
          value={text(value)}
          readOnly={readOnly}
          onChange={event => onChange(event.target.value)}
        />
      )
    case 'file':
    case 'image':
    case 'list':
      return (
        <Text id={id} fontSize="sm" fontFamily="mono">
          {JSON.stringify(value)}
        </Text>
      )
    default:
      return field satisfies never
  }
}
