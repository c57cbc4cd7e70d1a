import { chakra } from '@chakra-ui/react'

interface Props {
  readonly label: string
  readonly checked: boolean
  readonly isPartly?: boolean
  readonly disabled?: boolean
  readonly onChange: (checked: boolean) => void
}

/** A checkbox without a text beside it. The label around it makes the target 32 px, 44 px on a phone. */
export const Tick = ({ label, checked, isPartly = false, disabled = false, onChange }: Props) => (
  <chakra.label
    display="inline-grid"
    placeItems="center"
    boxSize={{ base: '11', md: '8' }}
    flex="none"
    cursor={disabled ? 'default' : 'pointer'}
  >
    <chakra.input
      type="checkbox"
      boxSize="16px"
      accentColor="accent.solid"
      cursor="inherit"
      borderRadius="xs"
      focusVisibleRing="outside"
      aria-label={label}
      checked={checked}
      disabled={disabled}
      ref={(box: HTMLInputElement | null) => {
        if (box !== null) box.indeterminate = isPartly
      }}
      onChange={event => onChange(event.target.checked)}
    />
  </chakra.label>
)
