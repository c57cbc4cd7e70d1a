import { Button, type ButtonProps } from '@chakra-ui/react'
import type { LucideIcon } from 'lucide-react'
import { Hint } from './hint.tsx'

interface Props extends Omit<ButtonProps, 'children'>, React.RefAttributes<HTMLButtonElement> {
  readonly icon: LucideIcon
  /** Its name for screen readers and its tooltip. */
  readonly label: string
  readonly keys?: string
  readonly side?: 'top' | 'right' | 'bottom' | 'left'
  readonly iconSize?: number
}

/** A square button that is only an icon. */
export const IconButton = ({ icon: Glyph, label, keys, side, iconSize = 16, ...props }: Props) => (
  <Hint text={label} {...(keys ? { keys } : {})} {...(side ? { side } : {})}>
    <Button aria-label={label} px="0" variant="ghost" {...props}>
      <Glyph size={iconSize} strokeWidth={1.75} aria-hidden="true" style={{ width: iconSize, height: iconSize }} />
    </Button>
  </Hint>
)
