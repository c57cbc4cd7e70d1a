import { chakra } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import type { FieldPath } from '#domain/flow/document/location.ts'
import { offeredValues } from '#domain/flow/lint/check-value.ts'
import type { Json } from '#schemas/event.ts'
import type { BlockField, ReferenceField, StringField, StringsField } from '#schemas/flow/block-field.ts'
import { stringsOf } from '#schemas/json.ts'
import { CheckboxGroup, ChoiceControl } from '#web/form/control/choice-control.tsx'
import { linesOf } from '#web/form/control/control-props.ts'
import { FormatControl } from '#web/form/control/format-control.tsx'
import { LineControl } from '#web/form/control/line-control.tsx'
import { StringsControl } from '#web/form/control/strings-control.tsx'
import { useWords } from '../canvas/canvas-context.ts'
import { paragraphs } from '../model/block-summary.ts'
import { useForm } from './form-context.ts'
import { PlainExpression } from './plain-expression.tsx'
import { ReferenceControl } from './reference-control.tsx'
import { SharedText } from './shared-text.tsx'
import { SHARED, stringOf } from './shared-value.ts'
import { VariableControl } from './variable-control.tsx'

interface SharedControlProps {
  readonly id: string
  readonly describedBy: string | undefined
  readonly disabled: boolean
  readonly block: string
  readonly path: FieldPath
  readonly field: Exclude<BlockField, { kind: 'group' | 'list' | 'boolean' }>
  readonly value: Json | undefined
  readonly set: (value: Json) => void
  readonly rows: number | undefined
  readonly bare: boolean
  readonly label: string
}

type Of<F> = Omit<SharedControlProps, 'field'> & { readonly field: F }

const NAMES = { kind: 'names' } as const

/** A text that cannot be edited. */
export const PlainText = ({ kind, value }: { readonly kind: string; readonly value: Json | undefined }) => (
  <chakra.p whiteSpace="pre-wrap" fontSize="sm">
    {kind === 'rich' ? paragraphs(stringOf(value)) : stringOf(value)}
  </chakra.p>
)

const bindingOf = ({ id, describedBy, disabled, set }: Of<BlockField>) => ({
  ...SHARED,
  id,
  describedBy,
  disabled,
  onChange: set,
})

const useChoices = (path: FieldPath) => {
  const words = useWords()
  return (values: readonly string[]) =>
    values.map(value => ({
      value,
      label: words(`block:option.${path.at(-1)}.${value}`, { defaultValue: value }),
    }))
}

const Enumeration = (props: Of<Extract<BlockField, { kind: 'enumeration' }>>) => {
  const { path, field, value } = props
  const { node } = useForm()
  const { t } = useTranslation('designer')
  const words = useWords()
  const choices = useChoices(path)
  return (
    <ChoiceControl
      {...bindingOf(props)}
      value={stringOf(value)}
      none={words(`block:none.${path.at(-1)}`, { defaultValue: t('inspector.choose') })}
      choices={choices(offeredValues(field, node.properties))}
    />
  )
}

const Strings = (props: Of<StringsField>) => {
  const { field, value, set, id, describedBy, disabled } = props
  const choices = useChoices(props.path)
  const strings = stringsOf(value)
  if (field.variables === true) {
    const write = (typed: string) => set(linesOf(typed))
    return (
      <PlainExpression
        {...{ id, describedBy, disabled }}
        language={NAMES}
        value={strings.join('\n')}
        onChange={write}
      />
    )
  }
  return field.options === undefined ? (
    <StringsControl {...bindingOf(props)} value={strings} />
  ) : (
    <CheckboxGroup {...bindingOf(props)} value={strings} choices={choices(field.options)} />
  )
}

const Line = (props: Of<StringField>) => {
  const { field, value, bare, label } = props
  const { node } = useForm()
  const common = { ...bindingOf(props), value: stringOf(value) }
  if (field.control === undefined)
    return <LineControl {...common} offered={field.offered} placeholder={bare ? label : undefined} />
  return <FormatControl {...common} format={field.control} country={stringOf(node.properties.country)} />
}

const Reference = ({ field, path, value, set, ...props }: Of<ReferenceField>) => {
  const common = { id: props.id, describedBy: props.describedBy, disabled: props.disabled }
  return field.to === 'variable' ? (
    <VariableControl {...common} path={path} value={stringOf(value)} onChange={set} />
  ) : (
    <ReferenceControl {...common} to={field.to} value={stringOf(value)} onChange={set} />
  )
}

/** The control of a field's kind, bound to the shared document. */
export const SharedControl = (props: SharedControlProps) => {
  const { field, disabled, value } = props
  switch (field.kind) {
    case 'rich':
      return <PlainText kind="rich" value={value} />
    case 'expression':
    case 'code':
    case 'json':
      if (disabled) return <PlainText kind={field.kind} value={value} />
      return (
        <SharedText
          block={props.block}
          path={props.path}
          id={props.id}
          code={field.kind !== 'expression'}
          rows={props.rows ?? (field.kind === 'expression' ? 1 : 4)}
          describedBy={props.describedBy}
        />
      )
    case 'enumeration':
      return <Enumeration {...props} field={field} />
    case 'reference':
      return <Reference {...props} field={field} />
    case 'strings':
      return <Strings {...props} field={field} />
    case 'string':
      return <Line {...props} field={field} />
    case 'number':
    case 'integer':
      return null
    default:
      return field satisfies never
  }
}
