import { Box, chakra, HStack, Input, Text, VisuallyHidden } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { Check, ChevronDown, Plus } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { entityOf, isEntityName } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { RemovableChip } from '#web/components/chip.tsx'
import { useName } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { highlight } from '#web/theme/highlight.ts'
import {
  matches,
  parentFilter,
  type ReferenceOption,
  useOptionContext,
  useReferenceOptions,
} from './reference-options.ts'

/** `create` makes a new thing of the typed name; `none` leaves the reference empty. */
type Entry = { readonly do: 'none' | 'create' } | { readonly do: 'choose'; readonly option: ReferenceOption }

const optionId = (listbox: string, at: number): string => `${listbox}-${at}`

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
const ReferenceListbox = ({ id, label, anchor, entries, active, value, status, onChoose, onEnd, ...rest }: Props) => (
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

interface Common {
  readonly id: string
  readonly to: string
  readonly within: Readonly<Record<string, string>>
  /** A row that must not become its own ancestor: it and its descendants are excluded. */
  readonly self?: string | undefined
  readonly disabled: boolean
  readonly invalid: boolean
  readonly describedBy?: string | undefined
  /** Label of a value that is not the name of a readable row. */
  readonly called?: string | undefined
  /** Offered before what is found. */
  readonly builtIn?: readonly ReferenceOption[]
}

interface ComboboxProps extends Common {
  readonly value: string | null
  /** Shown while nothing is typed. */
  readonly shown: string
  readonly placeholder: string
  readonly mayBeNone: boolean
  readonly exclude?: readonly string[]
  onChoose(id: string | null): void
}

/** Whether a name, and the parent that the form names, are all that a new one needs. */
const needsOnlyName = (entity: EntityDeclaration, given: Readonly<Record<string, string>>): boolean =>
  Object.entries(entity.fields).every(
    ([name, field]) => !field.required || name === entity.title || given[name] !== undefined,
  )

/** Makes a thing of which only the name is known; undefined where that is not permitted or not enough. */
const useCreate = (to: string, within: Common['within']) => {
  const { can } = useSession()
  const client = useQueryClient()
  const entity: EntityDeclaration | undefined = isEntityName(to) ? entityOf(to) : undefined
  if (entity === undefined || !can(`create${to}`)) return undefined
  const parent = parentFilter(entity, within)
  if (parentField(entity) !== undefined && Object.keys(parent).length === 0) return undefined
  if (!needsOnlyName(entity, parent)) return undefined
  return async (name: string): Promise<string> => {
    const { id } = await http.post('/{entity}', { params: { entity: to }, body: { [entity.title]: name, ...parent } })
    await client.invalidateQueries({ queryKey: [to] })
    return id
  }
}

/** State of the popup: typed text (undefined while closed) and active option. */
const usePopup = () => {
  const [text, setText] = useState<string>()
  const [active, setActive] = useState(-1)
  return {
    isOpen: text !== undefined,
    text: text ?? '',
    active,
    setActive,
    open: (typed = '') => {
      setText(typed)
      setActive(typed === '' ? -1 : 0)
    },
    close: () => {
      setText(undefined)
      setActive(-1)
    },
  }
}

const useEntries = (props: ComboboxProps, text: string, isOpen: boolean) => {
  const { to, within, self, mayBeNone, exclude = [], builtIn = [] } = props
  const found = useReferenceOptions({ to, within, self, text, isOpen })
  const create = useCreate(to, within)
  const name = text.trim()
  const isTaken = found.options.some(option => option.name.toLocaleLowerCase() === name.toLocaleLowerCase())
  const entries: readonly Entry[] = [
    ...(mayBeNone && name === '' ? [{ do: 'none' } as const] : []),
    ...builtIn.filter(option => matches(option.name, name)).map(option => ({ do: 'choose', option }) as const),
    ...found.options.filter(({ id }) => !exclude.includes(id)).map(option => ({ do: 'choose', option }) as const),
    ...(create !== undefined && name !== '' && found.isSettled && !isTaken ? [{ do: 'create' } as const] : []),
  ]
  return { ...found, entries, create }
}

const Failure = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <Text role="alert" mt="1" textStyle="secondary" color="danger.fg">
      {text}
    </Text>
  )

/** A combobox over all things of an entity: type to find, arrows and Enter to choose, Escape to leave as it was. */
const ReferenceCombobox = (props: ComboboxProps) => {
  const { id, to, disabled, invalid, describedBy, value, shown, placeholder, onChoose } = props
  const { t } = useTranslation('shell')
  const label = useLabel()
  const listbox = useId()
  const input = useRef<HTMLInputElement>(null)
  const popup = usePopup()
  const [failure, setFailure] = useState<string>()
  const { entries, total, isSettled, isFailed, create, loadMore } = useEntries(props, popup.text, popup.isOpen)
  const active = Math.min(popup.active, entries.length - 1)

  const choose = async (entry: Entry) => {
    const name = popup.text.trim()
    popup.close()
    setFailure(undefined)
    if (entry.do === 'none') onChoose(null)
    else if (entry.do === 'choose') onChoose(entry.option.id)
    else await create?.(name).then(onChoose, error => setFailure(failureOf(error, t('form.notcreated', { name }))))
  }
  const move = (by: number) => {
    if (!popup.isOpen) return popup.open()
    popup.setActive(Math.max(0, Math.min(entries.length - 1, active + by)))
    if (active + by >= entries.length - 1) loadMore()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      move(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter' && popup.isOpen) {
      event.preventDefault()
      const entry = entries[active]
      if (entry !== undefined) void choose(entry)
    } else if (event.key === 'Escape' && popup.isOpen) {
      event.preventDefault()
      event.stopPropagation()
      popup.close()
    }
  }
  const said = isFailed ? t('form.findfailed') : isSettled ? t('form.found', { count: total }) : t('form.finding')
  const isEmpty = entries.length === 0
  return (
    <Box position="relative" w="100%">
      <Input
        ref={input}
        id={id}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={popup.isOpen}
        {...(popup.isOpen ? { 'aria-controls': listbox } : {})}
        {...(popup.isOpen && active >= 0 ? { 'aria-activedescendant': optionId(listbox, active) } : {})}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        disabled={disabled}
        pe="8"
        textOverflow="ellipsis"
        placeholder={popup.isOpen && shown !== '' ? shown : placeholder}
        value={popup.isOpen ? popup.text : shown}
        onChange={event => popup.open(event.target.value)}
        onClick={() => (popup.isOpen ? undefined : popup.open())}
        onBlur={popup.close}
        onKeyDown={onKeyDown}
      />
      <Box position="absolute" insetEnd="2.5" top="50%" translate="0 -50%" color="fg.muted" pointerEvents="none">
        <ChevronDown size={16} aria-hidden="true" />
      </Box>
      {popup.isOpen ? (
        <ReferenceListbox
          id={listbox}
          label={label.plural(to)}
          anchor={input}
          to={to}
          entries={entries}
          text={popup.text.trim()}
          active={active}
          value={value}
          status={isEmpty || !isSettled ? said : undefined}
          onChoose={entry => void choose(entry)}
          onEnd={loadMore}
        />
      ) : null}
      <VisuallyHidden role="status">{popup.isOpen ? said : ''}</VisuallyHidden>
      <Failure text={failure} />
    </Box>
  )
}

type PickerProps = Common & {
  readonly required: boolean
  readonly value: string | null
  onChange(value: string | null): void
}

/** One of the things of an entity, or none. */
export const ReferencePicker = ({ required, value, onChange, ...common }: PickerProps) => {
  const { t } = useTranslation('shell')
  const name = useName(common.to, common.called === undefined ? value : null)
  const shown =
    value === null
      ? ''
      : common.called !== undefined
        ? common.called
        : name === null
          ? t('form.elsewhere')
          : (name ?? '…')
  return (
    <ReferenceCombobox
      {...common}
      value={value}
      shown={shown}
      placeholder={t(required ? 'form.choose' : 'form.none')}
      mayBeNone={!required}
      onChoose={onChange}
    />
  )
}

interface ChosenProps extends Pick<Common, 'to' | 'id' | 'disabled'> {
  onRemove(): void
}

const Chosen = ({ to, id, disabled, onRemove }: ChosenProps) => {
  const { t } = useTranslation('shell')
  const name = useName(to, id)
  return (
    <RemovableChip {...(name ? { name } : {})} disabled={disabled} onRemove={onRemove}>
      <chakra.span {...(name === null ? { color: 'fg.muted' } : {})}>
        {name === null ? t('form.elsewhere') : (name ?? '…')}
      </chakra.span>
    </RemovableChip>
  )
}

type ManyProps = Common & { readonly value: readonly string[]; onChange(value: string[]): void }

/** Several things of an entity, as chips. */
export const ReferencesPicker = ({ value, onChange, ...common }: ManyProps) => {
  const { t } = useTranslation('shell')
  return (
    <Box w="100%">
      {value.length > 0 ? (
        <HStack gap="1.5" flexWrap="wrap" mb="2">
          {value.map(one => (
            <Chosen
              key={one}
              to={common.to}
              id={one}
              disabled={common.disabled}
              onRemove={() => onChange(value.filter(other => other !== one))}
            />
          ))}
        </HStack>
      ) : null}
      <ReferenceCombobox
        {...common}
        value={null}
        shown=""
        placeholder={t('form.add')}
        mayBeNone={false}
        exclude={value}
        onChoose={id => {
          if (id !== null) onChange([...value, id])
        }}
      />
    </Box>
  )
}
