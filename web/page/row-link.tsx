import type { ComponentProps } from 'react'
import { RouterLink } from './router-link.ts'

interface Props extends ComponentProps<typeof RouterLink> {
  /** Whether the page shows the item beside the list. */
  readonly isOpen: boolean
}

/** Row of a list that opens its item beside the list. */
export const RowLink = ({ isOpen, ...props }: Props) => (
  <RouterLink
    aria-current={isOpen ? 'true' : undefined}
    display="flex"
    outlineOffset="-2px"
    borderInlineStartWidth="3px"
    borderInlineStartColor={isOpen ? 'accent.solid' : 'transparent'}
    bg={isOpen ? 'accent.subtle' : undefined}
    _hover={isOpen ? {} : { bg: 'bg.subtle' }}
    {...props}
  />
)
