import './control.css'
import { chakra, HStack, NativeSelect, type StackProps } from '@chakra-ui/react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { attributesOf, type Choice, type ControlProps } from './control-props.ts'

interface ChoiceProps extends ControlProps<string> {
  readonly choices: readonly Choice[]
  /** Name for a control without label. */
  readonly label?: string
  /** Text of the empty choice. */
  readonly none?: string | undefined
  /** There is no empty choice. */
  readonly chosen?: boolean
}

/** Looks like a text field that is read-only: its value is to be read. */
const READ_ONLY = { _disabled: { opacity: 1, cursor: 'default', bg: 'bg.subtle', borderColor: 'border' } }

/** One of a few values. A value that is not offered stays until another one is chosen. */
export const ChoiceControl = ({ value, choices, label, none, chosen = false, onChange, ...props }: ChoiceProps) => {
  const { t } = useTranslation('shell')
  const isOffered = choices.some(choice => choice.value === value)
  const isReadOnly = props.readOnly === true
  const isFixed = props.disabled === true || isReadOnly
  // A field around it hides what the root says; the type of the select does not name what it takes.
  const fixed = { disabled: isFixed }
  return (
    <NativeSelect.Root disabled={isFixed} invalid={props.invalid === true} position="relative" w="100%">
      <NativeSelect.Field
        {...attributesOf(props)}
        {...fixed}
        {...(isReadOnly ? { 'data-readonly': '', css: READ_ONLY } : {})}
        aria-label={label}
        value={value}
        onChange={event => onChange(event.target.value)}
      >
        {chosen || choices.some(choice => choice.value === '') ? null : (
          <option value="">{none ?? t('form.choosefrom')}</option>
        )}
        {isOffered || value === '' ? null : <option value={value}>{value}</option>}
        {choices.map(choice => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </NativeSelect.Field>
      {isReadOnly ? null : <NativeSelect.Indicator />}
    </NativeSelect.Root>
  )
}

/** Attributes of inputs under the label of one field. */
const groupOf = ({ id, describedBy }: Pick<ControlProps<unknown>, 'id' | 'describedBy'>) => ({
  id,
  'aria-labelledby': `${id}-label`,
  'aria-describedby': describedBy,
})

interface TilesProps extends ControlProps<string> {
  readonly choices: readonly Choice[]
}

/** One of some values, all of which are seen at once. */
export const TilesControl = ({ value, choices, onChange, ...props }: TilesProps) => (
  <div className="pl-tiles" role="radiogroup" {...groupOf(props)}>
    {choices.map(choice => (
      <label key={choice.value}>
        <input
          type="radio"
          name={props.id}
          value={choice.value}
          checked={value === choice.value}
          disabled={props.disabled === true}
          onChange={() => onChange(choice.value)}
        />
        {choice.label}
      </label>
    ))}
  </div>
)

interface TicksProps extends ControlProps<readonly string[]> {
  readonly choices: readonly Choice[]
}

/** Any of a few values, each with a checkbox; kept in the order of the choices, other values last. */
export const CheckboxGroup = ({ value, choices, onChange, ...props }: TicksProps) => {
  const others = value.filter(each => !choices.some(choice => choice.value === each))
  const toggle = (toggled: string) => {
    const wanted = value.includes(toggled) ? value.filter(each => each !== toggled) : [...value, toggled]
    const offered = choices.map(choice => choice.value).filter(each => wanted.includes(each))
    onChange([...offered, ...others])
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the field's label stands before it, as with every other control
    <div className="pl-ticks" role="group" {...groupOf(props)}>
      {choices.map(choice => (
        <label key={choice.value}>
          <input
            type="checkbox"
            checked={value.includes(choice.value)}
            disabled={props.disabled === true || props.readOnly === true}
            onChange={() => toggle(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  )
}

/** On or off; written at once. */
export const SwitchControl = ({ value, onChange, ...props }: ControlProps<boolean>) => (
  <button
    {...attributesOf(props)}
    type="button"
    role="switch"
    className="pl-switch"
    aria-checked={value}
    disabled={props.disabled === true || props.readOnly === true}
    aria-labelledby={`${props.id}-label`}
    onClick={() => onChange(!value)}
  />
)

interface SwitchLabelProps extends Pick<ControlProps<boolean>, 'value' | 'disabled' | 'onChange'> {
  readonly label: string
  /** Below the label. */
  readonly text?: string
  /** The switch stands behind the label, at the end of the line. */
  readonly atEnd?: boolean
  readonly line?: StackProps
}

/** A switch and its label in one line. */
export const SwitchLabel = ({ label, text, atEnd = false, line, ...props }: SwitchLabelProps) => {
  const id = useId()
  const described = text === undefined ? {} : { describedBy: `${id}-text` }
  return (
    <HStack
      as="span"
      display="flex"
      gap="2.5"
      {...(atEnd ? { flexDirection: 'row-reverse', justify: 'space-between' } : {})}
      {...line}
    >
      <SwitchControl id={id} {...described} {...props} />
      <span>
        <chakra.label htmlFor={id} id={`${id}-label`} cursor="pointer">
          {label}
        </chakra.label>
        {text === undefined ? null : (
          <chakra.span id={`${id}-text`} display="block" textStyle="secondary" color="fg.muted">
            {text}
          </chakra.span>
        )}
      </span>
    </HStack>
  )
}
