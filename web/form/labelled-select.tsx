import { Field, NativeSelect, type NativeSelectFieldProps, type NativeSelectRootProps } from '@chakra-ui/react'

interface SelectProps extends Omit<NativeSelectRootProps, 'children' | 'onChange'> {
  readonly value: string
  readonly options: readonly (readonly [value: string, label: string])[]
  /** Text of the empty choice; undefined: there is none. */
  readonly none?: string | undefined
  readonly field?: NativeSelectFieldProps
  onChange(value: string): void
}

/** One of a few values. */
export const Select = ({ value, options, none, field, onChange, ...props }: SelectProps) => (
  <NativeSelect.Root {...props}>
    <NativeSelect.Field {...field} value={value} onChange={event => onChange(event.target.value)}>
      {none === undefined ? null : <option value="">{none}</option>}
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </NativeSelect.Field>
    <NativeSelect.Indicator />
  </NativeSelect.Root>
)

interface LabelledSelectProps extends Pick<SelectProps, 'value' | 'options' | 'none' | 'onChange'> {
  readonly label: string
  readonly required?: boolean
}

/** One of a few values, under its label. */
export const LabelledSelect = ({ label, required = false, ...props }: LabelledSelectProps) => (
  <Field.Root required={required}>
    <Field.Label>{label}</Field.Label>
    <Select {...props} />
  </Field.Root>
)
