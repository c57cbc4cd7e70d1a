import { Box, chakra, Text } from '@chakra-ui/react'
import { Check, Plus } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { highlight } from '#web/theme/highlight.ts'
import { type ReferenceOption, useOptionContext } from './reference-options.ts'

/** `create` makes a new thing of the typed name; `none` leaves the reference empty. */
export type Entry = { readonly do: 'none' | 'create' } | { readonly do: 'choose'; readonly option: ReferenceOption }

export const optionId = (listbox: string, at: number): string => `${listbox}-${at}`

const GAP_PX = 4
const MARGIN_PX = 8
const MAX_HEIGHT_PX = 320

const place = (box: HTMLElement, anchor: HTMLElement) => {
  const at = anchor.getBoundingClientRect()
  const below = innerHeight - at.bottom - GAP_PX - MARGIN_PX
  const above = at.top - GAP_PX - MARGIN_PX
  const isBelow = below >= Math.min(MAX_HEIGHT_PX, above)
  box.style.maxHeight = `${Math.min(MAX_HEIGHT_PX, isBelow ? below : above)}px`
  box.style.width = `${Math.min(Math.max(at.width, 260), innerWidth - 2 * MARGIN_PX)}px`
  box.style.left = `${Math.max(MARGIN_PX, Math.min(at.left, innerWidth - box.offsetWidth - MARGIN_PX))}px`
  box.style.top = isBelow ? `${at.bottom + GAP_PX}px` : `${at.top - GAP_PX - box.offsetHeight}px`
}

/** The popup of a combobox in the browser's top layer, as wide as its input, following it while the page scrolls. */
const Popup = ({ anchor, children }: { readonly anchor: RefObject<HTMLElement | null>; children: ReactNode }) => {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const [shown, input] = [box.current, anchor.current]
    if (shown === null || input === null) return
    shown.showPopover()
    const again = () => place(shown, input)
    again()
    const size = new ResizeObserver(again)
    size.observe(shown)
    addEventListener('scroll', again, true)
    addEventListener('resize', again)
    return () => {
      size.disconnect()
      removeEventListener('scroll', again, true)
      removeEventListener('resize', again)
    }
  }, [anchor])
  return (
    <Box
      ref={box}
      popover="manual"
      position="fixed"
      inset="auto"
      m="0"
      p="1"
      bg="bg.raised"
      color="fg"
      borderWidth="1px"
      borderColor="border"
      borderRadius="lg"
      boxShadow="overlay"
      display="flex"
      flexDirection="column"
      overflow="hidden"
      // A press on the scroll bar or between options must not take the focus from the input.
      onMouseDown={event => event.preventDefault()}
    >
      {children}
    </Box>
  )
}

const Place = ({ to, option }: { readonly to: string; readonly option: ReferenceOption }) => (
  <Text as="span" textStyle="secondary" color="fg.muted" truncate display="block">
    {useOptionContext(to, option)}
  </Text>
)

interface OptionProps {
  readonly id: string
  readonly to: string
  readonly entry: Entry
  readonly text: string
  readonly isActive: boolean
  readonly isChosen: boolean
  onChoose(): void
}

const Option = ({ id, to, entry, text, isActive, isChosen, onChoose }: OptionProps) => {
  const { t } = useTranslation('shell')
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  const mark = entry.do === 'create' ? <Plus size={16} aria-hidden="true" /> : <Check size={16} aria-hidden="true" />
  const word =
    entry.do === 'choose'
      ? entry.option.name
      : t(entry.do === 'create' ? 'form.createnamed' : 'form.none', { name: text })
  return (
    <chakra.div
      ref={row}
      id={id}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      display="flex"
      alignItems="center"
      gap="2.5"
      minH={{ base: '11', md: '9' }}
      px="2"
      py="1"
      borderRadius="sm"
      fontSize="sm"
      cursor="pointer"
      {...(isActive ? highlight : {})}
      _hover={{ bg: 'bg.muted' }}
      onClick={onChoose}
    >
      <Box boxSize="4" flex="none" color="accent.fg">
        {isChosen || entry.do === 'create' ? mark : null}
      </Box>
      <Box minW="0" flex="1">
        <Text as="span" truncate display="block" {...(entry.do === 'none' ? { color: 'fg.muted' } : {})}>
          {word}
        </Text>
        {entry.do === 'choose' ? <Place to={to} option={entry.option} /> : null}
      </Box>
    </chakra.div>
  )
}

interface Props {
  readonly id: string
  readonly label: string
  readonly anchor: RefObject<HTMLElement | null>
  readonly to: string
  readonly entries: readonly Entry[]
  readonly text: string
  readonly active: number
  readonly value: string | null
  /** Said instead of options. */
  readonly status: string | undefined
  onChoose(entry: Entry): void
  onEnd(): void
}

/** The options of a reference: pressed or chosen by the keyboard of the input; more load when the end is near. */
export const ReferenceListbox = ({
  id,
  label,
  anchor,
  entries,
  active,
  value,
  status,
  onChoose,
  onEnd,
  ...rest
}: Props) => (
  <Popup anchor={anchor}>
    <chakra.div
      id={id}
      role="listbox"
      aria-label={label}
      // The scrolled element is the listbox: it needs no own focus, the input controls it.
      minH="0"
      overflowY="auto"
      ref={(list: HTMLDivElement | null) => {
        const end = list?.lastElementChild
        if (list === null || end === null || end === undefined) return
        const watch = new IntersectionObserver(seen => seen.some(one => one.isIntersecting) && onEnd())
        watch.observe(end)
        return () => watch.disconnect()
      }}
    >
      {entries.map((entry, at) => (
        <Option
          key={entry.do === 'choose' ? entry.option.id : entry.do}
          id={optionId(id, at)}
          entry={entry}
          isActive={at === active}
          isChosen={entry.do === 'choose' ? entry.option.id === value : entry.do === 'none' && value === null}
          onChoose={() => onChoose(entry)}
          {...rest}
        />
      ))}
    </chakra.div>
    {status === undefined ? null : (
      <Text px="2" py="1.5" fontSize="sm" color="fg.muted">
        {status}
      </Text>
    )}
  </Popup>
)
