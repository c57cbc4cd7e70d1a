import { Box, chakra, HStack, Kbd } from '@chakra-ui/react'
import { Check, type LucideIcon } from 'lucide-react'
import { cloneElement, type ReactElement, type ReactNode, useRef, useState } from 'react'
import { highlight } from '#web/theme/highlight.ts'
import { AnchoredPopover } from './anchored-popover.tsx'

export interface MenuAction {
  readonly id: string
  readonly label: ReactNode
  readonly icon?: LucideIcon
  readonly keys?: string
  readonly danger?: boolean
  readonly checked?: boolean
  /** A checkbox item, not a radio item. */
  readonly toggle?: boolean
  readonly separated?: boolean
  readonly disabled?: boolean
  run(): void
}

interface Trigger {
  ref?: React.Ref<HTMLButtonElement>
  onClick?: (event: React.MouseEvent<HTMLElement>) => void
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
}

interface Props {
  readonly label: string
  readonly actions: readonly MenuAction[]
  readonly align?: 'start' | 'end'
  /** Shown above the entries. */
  readonly header?: ReactNode
  /** The button that opens it; passes ref and handlers on. */
  readonly children: ReactElement<Trigger>
}

/** Its icon, or whether it is on: never by colour alone. */
const Lead = ({ icon: Icon, checked }: Pick<MenuAction, 'icon' | 'checked'>) => {
  if (Icon !== undefined) return <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
  if (checked === undefined) return null
  return <Check size={16} strokeWidth={2} aria-hidden="true" style={{ visibility: checked ? undefined : 'hidden' }} />
}

const move = (event: React.KeyboardEvent<HTMLElement>) => {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem]:not([aria-disabled=true])')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const step = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key]
  if (step !== undefined) {
    event.preventDefault()
    items[step % items.length]?.focus()
  } else if (event.key.length === 1 && /\p{L}/u.test(event.key)) {
    const wanted = event.key.toLowerCase()
    const rest = [...items.slice(at + 1), ...items.slice(0, at + 1)]
    rest.find(item => item.textContent?.trim().toLowerCase().startsWith(wanted))?.focus()
  }
}

const Item = ({ action, onRun }: { readonly action: MenuAction; onRun(): void }) => (
  <chakra.button
    type="button"
    role={action.checked === undefined ? 'menuitem' : action.toggle ? 'menuitemcheckbox' : 'menuitemradio'}
    aria-checked={action.checked}
    aria-disabled={action.disabled}
    tabIndex={-1}
    display="flex"
    alignItems="center"
    gap="2.5"
    w="100%"
    minH={{ base: '11', md: '8' }}
    px="2"
    mt={action.separated ? '1.5' : '0'}
    borderTopWidth={action.separated ? '1px' : '0'}
    borderRadius={action.separated ? '0' : 'sm'}
    fontSize="sm"
    textAlign="start"
    cursor="pointer"
    color={action.danger ? 'danger.fg' : 'fg'}
    opacity={action.disabled ? 0.5 : 1}
    bg={action.checked ? 'accent.subtle' : 'transparent'}
    _hover={{ bg: 'bg.muted' }}
    _focusVisible={highlight}
    onClick={event => {
      event.stopPropagation()
      if (action.disabled) return
      onRun()
    }}
  >
    <Lead {...action} />
    <HStack flex="1" justify="space-between">
      <span>{action.label}</span>
      {action.keys ? <Kbd hideBelow="md">{action.keys}</Kbd> : null}
    </HStack>
  </chakra.button>
)

interface ItemsProps {
  readonly label: string
  readonly actions: readonly MenuAction[]
  readonly onClose: () => void
}

const Items = ({ label, actions, onClose }: ItemsProps) => (
  <Box role="menu" aria-label={label} onKeyDown={move}>
    {actions.map(action => (
      <Item
        key={action.id}
        action={action}
        onRun={() => {
          onClose()
          action.run()
        }}
      />
    ))}
  </Box>
)

interface MenuAtProps extends ItemsProps {
  /** On the screen. */
  readonly at: { readonly x: number; readonly y: number }
}

/** A menu where the pointer is, or beside what has the keyboard. */
export const PointerMenu = ({ label, actions, at, onClose }: MenuAtProps) => {
  const [anchor, setAnchor] = useState<HTMLSpanElement | null>(null)
  return (
    <>
      <span ref={setAnchor} style={{ position: 'fixed', left: at.x, top: at.y }} />
      {anchor === null ? null : (
        <AnchoredPopover key={`${at.x} ${at.y}`} anchor={anchor} onClose={onClose} p="1.5" minW="210px">
          <Items label={label} actions={actions} onClose={onClose} />
        </AnchoredPopover>
      )}
    </>
  )
}

/** A menu of what can be done: arrows, first letters, Escape. */
export const ActionMenu = ({ label, actions, align = 'end', header, children }: Props) => {
  const anchor = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  return (
    <>
      {cloneElement(children, {
        ref: anchor,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        onClick: event => {
          event.stopPropagation()
          event.preventDefault()
          setOpen(!open)
        },
      })}
      {open ? (
        <AnchoredPopover anchor={anchor.current} align={align} onClose={() => setOpen(false)} p="1.5" minW="210px">
          {header}
          <Items label={label} actions={actions} onClose={() => setOpen(false)} />
        </AnchoredPopover>
      ) : null}
    </>
  )
}
