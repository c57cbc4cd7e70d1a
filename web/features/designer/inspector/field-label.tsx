import { chakra } from '@chakra-ui/react'

interface FieldLabelProps {
  /** Of the control. */
  readonly id: string
  readonly label: string
  /** It is for screen readers alone. */
  readonly bare: boolean
}

export const FieldLabel = ({ id, label, bare }: FieldLabelProps) => (
  <chakra.label htmlFor={id} id={`${id}-label`} className={bare ? 'pl-said' : 'pl-label-text'}>
    {label}
  </chakra.label>
)
