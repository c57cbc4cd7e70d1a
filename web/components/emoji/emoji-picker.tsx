import { Box, chakra, Input, Text } from '@chakra-ui/react'
import { cloneElement, type KeyboardEvent, type ReactElement, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isLanguage } from '#schemas/language.ts'
import { PHONE, useMedia } from '#web/shell/use-media.ts'
import { AnchoredPopover } from '../anchored-popover.tsx'
import { EMOJI_NAMES } from './emoji-names.ts'
import { type Emoji, matchingEmoji, movedPlace, recentEmoji, rememberEmoji } from './emoji-text.ts'

/** Emoji in a row; each is 36 px wide, on a phone 44 px. */
const COLUMNS = { desk: 8, phone: 7 } as const

const useEmoji = (): readonly Emoji[] => {
  const { i18n } = useTranslation()
  const language = isLanguage(i18n.language) ? i18n.language : 'en'
  return useMemo(() => EMOJI_NAMES.map(({ sign, [language]: names }) => ({ sign, names })), [language])
}

interface GridProps {
  readonly onChoose: (sign: string) => void
}

/** The search keeps the focus; its arrow keys move in the grid, Enter chooses. */
const Grid = ({ onChoose }: GridProps) => {
  const { t } = useTranslation('shell')
  const list = useId()
  const columns = useMedia(PHONE) ? COLUMNS.phone : COLUMNS.desk
  const all = useEmoji()
  const [search, setSearch] = useState('')
  const [active, setActive] = useState(0)
  const [recent] = useState(recentEmoji)
  const found = useMemo(() => {
    if (search.trim() !== '') return matchingEmoji(all, search)
    const first = recent.flatMap(sign => all.find(emoji => emoji.sign === sign) ?? [])
    return [...first, ...all.filter(emoji => !first.includes(emoji))]
  }, [all, recent, search])
  const onKeyDown = (event: KeyboardEvent) => {
    const next = movedPlace(event.key, active, found.length, columns)
    const chosen = event.key === 'Enter' ? found[active] : undefined
    if (next !== undefined) setActive(next)
    if (chosen !== undefined) onChoose(chosen.sign)
    if (next !== undefined || chosen !== undefined) event.preventDefault()
  }
  return (
    <Box p="2.5" w={{ base: '328px', md: '308px' }}>
      <Input
        data-autofocus
        type="search"
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={`${list}-${active}`}
        aria-label={t('emoji.search')}
        placeholder={t('emoji.search')}
        minH={{ base: '11', md: '9' }}
        value={search}
        onChange={event => {
          setSearch(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      {found.length === 0 ? (
        <Text py="3" textStyle="dense" color="fg.muted">
          {t('emoji.nothing')}
        </Text>
      ) : (
        <Box
          id={list}
          role="listbox"
          aria-label={t('emoji.all')}
          display="grid"
          gridTemplateColumns={`repeat(${columns}, 1fr)`}
          mt="2"
          maxH="220px"
          overflowY="auto"
        >
          {found.map(({ sign, names }, place) => (
            <chakra.div
              key={sign}
              id={`${list}-${place}`}
              role="option"
              tabIndex={-1}
              aria-selected={place === active}
              aria-label={names.split(',')[0]}
              title={names.split(',')[0]}
              ref={
                place === active ? (box: HTMLElement | null) => box?.scrollIntoView({ block: 'nearest' }) : undefined
              }
              display="grid"
              placeItems="center"
              h={{ base: '11', md: '9' }}
              borderRadius="md"
              fontSize="20px"
              cursor="pointer"
              bg={place === active ? 'accent.subtle' : undefined}
              onPointerMove={() => setActive(place)}
              onClick={() => onChoose(sign)}
            >
              {sign}
            </chakra.div>
          ))}
        </Box>
      )}
    </Box>
  )
}

interface Trigger {
  ref?: React.Ref<HTMLButtonElement>
  onClick?: () => void
  'aria-haspopup'?: 'dialog'
  'aria-expanded'?: boolean
}

interface Props {
  readonly label: string
  readonly onChoose: (sign: string) => void
  /** The button that opens it. */
  readonly children: ReactElement<Trigger>
}

/** A small list of emoji beside a button, found by name. */
export const EmojiPicker = ({ label, onChoose, children }: Props) => {
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const [isOpen, setOpen] = useState(false)
  const choose = (sign: string) => {
    rememberEmoji(sign)
    setOpen(false)
    onChoose(sign)
  }
  return (
    <>
      {cloneElement(children, {
        ref: setButton,
        onClick: () => setOpen(!isOpen),
        'aria-haspopup': 'dialog',
        'aria-expanded': isOpen,
      })}
      {isOpen ? (
        <AnchoredPopover anchor={button} onClose={() => setOpen(false)} role="dialog" aria-label={label}>
          <Grid onChoose={choose} />
        </AnchoredPopover>
      ) : null}
    </>
  )
}
