import { Box, chakra, type HTMLChakraProps } from '@chakra-ui/react'
import { Check, Plus, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AnchoredPopover } from '#web/components/anchored-popover.tsx'
import { highlight } from '#web/theme/highlight.ts'

const LOOK = {
  display: 'inline-flex',
  alignItems: 'center',
  gap: '1.5',
  h: { base: '9', md: '30px' },
  px: '2.5',
  borderWidth: '1px',
  fontSize: 'sm',
  whiteSpace: 'nowrap',
  cursor: 'pointer',
  focusVisibleRing: 'outside',
} as const
const FILLED = {
  bg: 'accent.subtle',
  borderColor: 'accent.border',
  borderRightWidth: '0',
  color: 'accent.fg',
  fontWeight: 'semibold',
  borderLeftRadius: 'md',
} as const
const EMPTY = {
  borderStyle: 'dashed',
  borderColor: 'border.emphasized',
  color: 'fg.muted',
  borderRadius: 'md',
  _hover: { bg: 'bg.subtle', color: 'fg' },
} as const

interface Props {
  readonly title: string
  /** The value to filter by; undefined if the filter is off. */
  readonly value: ReactNode
  readonly popup: 'menu' | 'dialog'
  readonly isOpenAtFirst?: boolean
  readonly onRemove: () => void
  readonly onClose?: () => void
  /** Content of the popover. */
  readonly children: (close: () => void) => ReactNode
}

/** A dashed `+ Status` that becomes a filled chip with its value and a button that removes it. */
export const ChipFrame = ({ title, value, popup, isOpenAtFirst = false, onRemove, onClose, children }: Props) => {
  const { t } = useTranslation('shell')
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null)
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const isFilled = value !== undefined
  const close = () => {
    setOpen(false)
    onClose?.()
  }
  return (
    <Box display="inline-flex" flex="none">
      <chakra.button
        ref={setAnchor}
        type="button"
        aria-haspopup={popup}
        aria-expanded={isOpen}
        onClick={() => (isOpen ? close() : setOpen(true))}
        {...LOOK}
        {...(isFilled ? FILLED : EMPTY)}
      >
        {isFilled ? null : <Plus size={14} aria-hidden="true" />}
        {isFilled ? (
          <span>
            {title}: {value}
          </span>
        ) : (
          title
        )}
      </chakra.button>
      {isFilled ? (
        <chakra.button
          type="button"
          aria-label={t('list.without', { name: title })}
          onClick={onRemove}
          {...LOOK}
          px="1.5"
          bg="accent.subtle"
          borderColor="accent.border"
          borderLeftWidth="0"
          borderRightRadius="md"
          color="accent.fg"
          _hover={{ bg: 'accent.muted' }}
        >
          <X size={14} aria-hidden="true" />
        </chakra.button>
      ) : null}
      {isOpen && anchor !== null ? (
        <AnchoredPopover anchor={anchor} onClose={close} p="1.5" minW="220px" maxH="360px">
          {children(close)}
        </AnchoredPopover>
      ) : null}
    </Box>
  )
}

/** One of the things to choose among in a chip or panel: a check mark shows the chosen one. */
export const ChoiceButton = ({
  isChosen,
  children,
  ...rest
}: HTMLChakraProps<'button'> & { readonly isChosen: boolean }) => (
  <chakra.button
    type="button"
    display="flex"
    alignItems="center"
    gap="2.5"
    w="100%"
    minH={{ base: '11', md: '8' }}
    px="2"
    borderRadius="sm"
    fontSize="sm"
    textAlign="start"
    cursor="pointer"
    _hover={{ bg: 'bg.muted' }}
    _focusVisible={highlight}
    {...rest}
  >
    <Box boxSize="4" color="accent.fg" flex="none">
      {isChosen ? <Check size={16} aria-hidden="true" /> : null}
    </Box>
    {children}
  </chakra.button>
)
