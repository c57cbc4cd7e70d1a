import { Box, Button, type ButtonProps, HStack, Kbd, Portal } from '@chakra-ui/react'
import type { LucideIcon } from 'lucide-react'
import { cloneElement, type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from 'react'

type Side = 'top' | 'right' | 'bottom' | 'left'

interface TriggerProps {
  onPointerEnter?: (event: React.PointerEvent<HTMLElement>) => void
  onPointerLeave?: (event: React.PointerEvent<HTMLElement>) => void
  onFocus?: (event: React.FocusEvent<HTMLElement>) => void
  onBlur?: (event: React.FocusEvent<HTMLElement>) => void
  onPointerDown?: (event: React.PointerEvent<HTMLElement>) => void
  'aria-describedby'?: string | undefined
}

interface Props {
  readonly text: ReactNode
  /** The key that does the same. */
  readonly keys?: string
  readonly side?: Side
  readonly disabled?: boolean
  /** One element that passes pointer and focus handlers on. */
  readonly children: ReactElement<TriggerProps>
}

const DELAY_MS = 300
const GAP = 6

const placeOf = (box: DOMRect, side: Side): React.CSSProperties => {
  const middleX = Math.min(Math.max(box.left + box.width / 2, 60), innerWidth - 60)
  const middleY = box.top + box.height / 2
  if (side === 'right') return { left: box.right + GAP, top: middleY, translate: '0 -50%' }
  if (side === 'left') return { left: box.left - GAP, top: middleY, translate: '-100% -50%' }
  const above = side === 'top' || box.bottom + 40 > innerHeight
  return above
    ? { left: middleX, top: box.top - GAP, translate: '-50% -100%' }
    : { left: middleX, top: box.bottom + GAP, translate: '-50% 0' }
}

/** A tooltip after 300 ms, with the key of the action so that it teaches. Never the only name of a control. */
export const Hint = ({ text, keys, side = 'bottom', disabled = false, children }: Props) => {
  const id = useId()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [place, setPlace] = useState<React.CSSProperties>()
  const hide = () => {
    clearTimeout(timer.current)
    setPlace(undefined)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (place === undefined) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setPlace(undefined)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [place])
  const showSoon = (target: HTMLElement) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setPlace(placeOf(target.getBoundingClientRect(), side)), DELAY_MS)
  }
  const own = children.props
  if (disabled) return children
  return (
    <>
      {cloneElement(children, {
        onPointerEnter: event => {
          own.onPointerEnter?.(event)
          if (event.pointerType !== 'touch') showSoon(event.currentTarget)
        },
        onPointerLeave: event => {
          own.onPointerLeave?.(event)
          hide()
        },
        onFocus: event => {
          own.onFocus?.(event)
          if (event.currentTarget.matches(':focus-visible')) showSoon(event.currentTarget)
        },
        onBlur: event => {
          own.onBlur?.(event)
          hide()
        },
        onPointerDown: event => {
          own.onPointerDown?.(event)
          hide()
        },
        ...(place ? { 'aria-describedby': id } : {}),
      })}
      {place ? (
        <Portal>
          <Box
            id={id}
            ref={(tip: HTMLElement | null) => tip?.showPopover()}
            popover="manual"
            role="tooltip"
            inset="auto"
            m="0"
            borderWidth="0"
            position="fixed"
            zIndex="tooltip"
            pointerEvents="none"
            bg="bg.inverted"
            color="fg.inverted"
            borderRadius="sm"
            boxShadow="raised"
            px="2"
            py="1"
            maxW="280px"
            w="max-content"
            textStyle="secondary"
            animation="fade-in 90ms"
            style={place}
          >
            <HStack gap="2">
              <Box>{text}</Box>
              {keys ? (
                <Kbd bg="transparent" color="inherit" borderColor="fg.subtle">
                  {keys}
                </Kbd>
              ) : null}
            </HStack>
          </Box>
        </Portal>
      ) : null}
    </>
  )
}

interface IconButtonProps extends Omit<ButtonProps, 'children'>, React.RefAttributes<HTMLButtonElement> {
  readonly icon: LucideIcon
  /** Its name for screen readers and its tooltip. */
  readonly label: string
  readonly keys?: string
  readonly side?: 'top' | 'right' | 'bottom' | 'left'
  readonly iconSize?: number
}

/** A square button that is only an icon. */
export const IconButton = ({ icon: Glyph, label, keys, side, iconSize = 16, ...props }: IconButtonProps) => (
  <Hint text={label} {...(keys ? { keys } : {})} {...(side ? { side } : {})}>
    <Button aria-label={label} px="0" variant="ghost" {...props}>
      <Glyph size={iconSize} strokeWidth={1.75} aria-hidden="true" style={{ width: iconSize, height: iconSize }} />
    </Button>
  </Hint>
)
