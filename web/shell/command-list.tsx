import { ICONS } from 'virtual:icon/../schemas/entities/*.ts'
import { ICONS as TOOL_ICONS } from 'virtual:icon/../schemas/place.ts'
import { ICONS as MENU_ICONS } from 'virtual:place'
import { Box, chakra, HStack, Kbd, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import i18next from 'i18next'
import { CircleQuestionMark, CornerDownLeft, Keyboard, MessageSquareText, Moon, Plus } from 'lucide-react'
import { Fragment, type KeyboardEvent, type RefObject, useEffect, useLayoutEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { carriesLevel, type EntityDeclaration, isSingle } from '#schemas/entity.ts'
import { folded } from '#schemas/fold-text.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { addressOf, flowAddress } from '#web/entity/address.ts'
import { inSentence, useLabel } from '#web/entity/label.ts'
import { useBotOfPage } from '#web/entity/use-ancestors.ts'
import { help } from '#web/help/help-state.ts'
import { ALL_TOPICS, findArticles, useArticle } from '#web/help/topics.ts'
import { chooseColorMode, useColorMode } from '#web/theme/color-mode.ts'
import { highlight } from '#web/theme/highlight.ts'
import { useDebouncedValue } from '#web/timer.ts'
import { reachablePages, useEntryLabel } from './drawer.tsx'
import { type Entry, pageEntries, recentEntries, remember } from './recent-entry.ts'

/** Help for the command palette: articles with these words, and the sheet of keys. Empty until its texts are there. */
const useHelpEntries = (): ((wanted: string) => readonly Entry[]) => {
  const { t, i18n } = useTranslation('shell')
  const { data: isReady = false } = useQuery({
    queryKey: ['help', i18n.language],
    queryFn: async () => {
      await i18next.loadNamespaces(['help', 'block'])
      return true
    },
    staleTime: Infinity,
  })
  const articleOf = useArticle()
  return wanted => {
    if (!isReady) return []
    const keys: Entry = {
      id: 'help-keys',
      group: 'help',
      icon: Keyboard,
      words: t('help.keys'),
      run: help.openKeys,
    }
    const articles = findArticles(
      ALL_TOPICS.map(topic => articleOf(topic, false)),
      wanted,
    )
    return [
      ...articles.map(
        ({ name, title, paragraphs }): Entry => ({
          id: `help-${name}`,
          group: 'help',
          icon: CircleQuestionMark,
          words: title,
          beside: paragraphs[0] ?? '',
          run: () => help.open(name),
        }),
      ),
      ...(folded(keys.words).includes(wanted) ? [keys] : []),
    ]
  }
}

const WAIT_MS = 180
const PREFIX = /^[>@#?]/
/** Among other entries; `?` lists all. */
const MAX_HELP = 4

interface Offer {
  readonly entries: readonly Entry[]
  /** More is being looked for. */
  readonly isPending: boolean
}

/** Creatable without a parent, on its own page. */
const isMakeable = (entity: EntityDeclaration): boolean =>
  (carriesLevel(entity) || entity.parent === 'none') && !isSingle(entity) && entity.place?.hidden !== true

/** Texts of flows are read one flow after another: they are looked for once the words are likely to be whole. */
const TEXT_WAIT_MS = 400
const MIN_TEXT = 3
/** Outside of a bot, its newest bots are looked through. */
const MAX_BOTS = 8
const MAX_TEXTS = 8

type FoundFlow = AnswerOf<'GET /bot/{id}/flow/find'>['items'][number]

/** One entry for each block of a flow, with its first place that holds the words. */
const textEntries = (bot: string, { kind, id, name, dialogtask, hits }: FoundFlow): readonly Entry[] =>
  hits
    .filter(({ block }, place) => hits.findIndex(hit => hit.block === block) === place)
    .map(({ block, before, text, after }) => ({
      id: `text-${id}-${block}`,
      group: 'text',
      icon: MessageSquareText,
      words: `${before}${text}${after}`.trim(),
      beside: `${dialogtask.name} · ${name}`,
      to: flowAddress(kind, id, { bot, block: block === '' ? undefined : block }),
    }))

const newestBots = async (): Promise<readonly string[]> =>
  (await http.get('/{entity}', { params: { entity: 'bot' }, query: { size: MAX_BOTS } })).items.map(({ id }) => id)

const textsOf = async (text: string, inBot: string | undefined): Promise<readonly Entry[]> => {
  const bots = inBot === undefined ? await newestBots() : [inBot]
  const found = await Promise.allSettled(
    bots.map(async bot => {
      const { items } = await http.get('/bot/{id}/flow/find', { params: { id: bot }, query: { text } })
      return items.flatMap(flow => textEntries(bot, flow))
    }),
  )
  return found.flatMap(result => (result.status === 'fulfilled' ? result.value : [])).slice(0, MAX_TEXTS)
}

/** Messages, variables and conditions of all flows of a bot, or of the newest bots, that hold these words. */
const useFlowTexts = (wanted: string, bot: string | undefined): readonly Entry[] => {
  const { can } = useSession()
  const later = useDebouncedValue(wanted, TEXT_WAIT_MS)
  const isWanted = later === wanted && wanted.length >= MIN_TEXT
  const { data = [] } = useQuery({
    queryKey: ['search', 'texts', bot ?? '', later],
    queryFn: () => textsOf(later, bot),
    enabled: isWanted && can('readdialog'),
  })
  return isWanted ? data : []
}

const useOffer = (typed: string): Offer => {
  const { t } = useTranslation(['shell', 'entity'])
  const label = useLabel()
  const entryLabel = useEntryLabel()
  const { can } = useSession()
  const bot = useBotOfPage()
  const { shown } = useColorMode()
  const actionsOnly = typed.startsWith('>')
  const people = typed.startsWith('@')
  const blocks = typed.startsWith('#')
  const helpOnly = typed.startsWith('?')
  const searches = !actionsOnly && !blocks && !helpOnly
  const wanted = folded(typed.replace(PREFIX, '').trim())
  const later = useDebouncedValue(wanted, WAIT_MS)
  const helpEntries = useHelpEntries()
  const texts = useFlowTexts(searches && !people ? wanted : '', bot)
  const { data, isPlaceholderData, isFetching } = useQuery({
    queryKey: ['search', later],
    queryFn: () => http.get('/search', { query: { search: later, size: 12 } }),
    enabled: later !== '' && searches,
    placeholderData: before => before,
  })
  // Of what was found for fewer letters only that is offered which fits these: Enter chooses the first.
  const isNew = later === wanted && !isPlaceholderData
  const found = data?.items.filter(({ id, name }) => isNew || folded(name ?? id).includes(wanted))
  const hits: Entry[] = (wanted === '' || actionsOnly ? [] : (found ?? [])).flatMap(({ entity, id, name, parents }) => {
    const lies = parents.find(parent => parent.entity === 'bot')
    const flow = parents.at(-1)
    // A comment is read where it stands.
    const to =
      entity.endsWith('comment') && flow !== undefined
        ? addressOf(flow.entity, flow.id, { comment: id })
        : addressOf(entity, id, { bot: lies?.id })
    if (to === undefined || (people && entity !== 'user')) return []
    const declared: EntityDeclaration | undefined = ENTITIES[entity as keyof typeof ENTITIES]
    const beside = [inSentence(label.name(entity)), ...parents.map(parent => parent.name ?? '')].join(' · ')
    return [
      {
        id: `${entity}-${id}`,
        group: 'found' as const,
        icon: ICONS[declared?.icon ?? ''],
        words: name ?? id,
        beside,
        to,
      },
    ]
  })
  const go = reachablePages(can, bot).map(entry => ({
    id: entry.to,
    group: 'goto' as const,
    icon: MENU_ICONS[entry.icon] ?? ICONS[entry.icon] ?? TOOL_ICONS[entry.icon],
    words: entryLabel(entry),
    to: entry.to,
  }))
  const makeable = Object.values<EntityDeclaration>(ENTITIES).filter(
    entity => isMakeable(entity) && can(`create${entity.name}`),
  )
  const act: Entry[] = [
    ...(pageEntries()?.actions() ?? []),
    ...makeable.map(({ name }) => ({
      id: `new-${name}`,
      group: 'act' as const,
      icon: Plus,
      words: t('new', { name: inSentence(label.name(name)) }),
      to: `/${name}/new`,
    })),
    {
      id: 'mode',
      group: 'act',
      icon: Moon,
      words: t(shown === 'dark' ? 'theme.tolight' : 'theme.todark'),
      run: () => chooseColorMode(shown === 'dark' ? 'light' : 'dark'),
    },
    { id: 'password', group: 'act', icon: undefined, words: t('user.password'), to: '/password/passwordchange' },
  ]
  const matches = ({ words }: Entry) => folded(words).includes(wanted)
  const offered = (): readonly Entry[] => {
    if (blocks) return pageEntries()?.blocks(wanted) ?? []
    if (people) return hits
    if (helpOnly) return helpEntries(wanted)
    if (actionsOnly) return act.filter(matches)
    if (wanted === '') return [...recentEntries(), ...go, ...act.slice(0, 3)]
    return [...hits, ...go.filter(matches), ...act.filter(matches), ...helpEntries(wanted).slice(0, MAX_HELP), ...texts]
  }
  return { entries: offered(), isPending: searches && (later !== wanted || isFetching) }
}

const Marked = ({ text, wanted }: { text: string; wanted: string }) => {
  const at = wanted === '' ? -1 : folded(text).indexOf(folded(wanted))
  if (at < 0) return <>{text}</>
  return (
    <>
      {text.slice(0, at)}
      <chakra.b>{text.slice(at, at + wanted.length)}</chakra.b>
      {text.slice(at + wanted.length)}
    </>
  )
}

/** Keys and first letters that narrow the list. */
const Hints = () => {
  const { t } = useTranslation('shell')
  return (
    <HStack px="4" h="36px" gap="2" bg="bg" borderTopWidth="1px" textStyle="secondary" color="fg.muted" hideBelow="md">
      <Kbd>↑</Kbd>
      <Kbd>↓</Kbd>
      {t('search.choose')}
      <Kbd ms="2">{'>'}</Kbd>
      {t('search.actions')}
      <Kbd ms="2">@</Kbd>
      {t('search.people')}
      <Kbd ms="2">?</Kbd>
      {t('search.help')}
      {pageEntries() === undefined ? null : (
        <>
          <Kbd ms="2">#</Kbd>
          {t('search.blocks')}
        </>
      )}
    </HStack>
  )
}

export interface CommandListProps {
  readonly typed: string
  /** The entry that is pointed at, counted from 0; one behind the last means the last. */
  readonly at: number
  readonly onPoint: (at: number) => void
  /** The element id of the entry that Enter chooses. */
  readonly onActive: (id: string | undefined) => void
  /** Takes what the field's keys do in the list. */
  readonly keys: RefObject<((event: KeyboardEvent) => void) | undefined>
  /** The key that was pressed last in the field: Enter may have been before there was anything to choose. */
  readonly last: RefObject<string>
  readonly onClose: () => void
}

/** Results of the palette for the typed text: all, `>` only actions, `#` blocks of the open flow, `@` only people, `?` only help. */
export const CommandList = ({ typed, at, onPoint, onActive, keys, last, onClose }: CommandListProps) => {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const { entries, isPending } = useOffer(typed)
  const index = Math.min(at, entries.length - 1)
  const active = entries[index]
  useEffect(() => {
    document.getElementById(`command-${index}`)?.scrollIntoView({ block: 'nearest' })
    onActive(index < 0 ? undefined : `command-${index}`)
  }, [index, onActive])
  const choose = (entry: Entry | undefined) => {
    if (entry === undefined) return
    onClose()
    if (entry.to !== undefined) {
      if (entry.group !== 'act') remember(entry)
      void navigate(entry.to)
    } else entry.run?.()
  }
  // Layout effect: Enter works once the list is visible.
  useLayoutEffect(() => {
    keys.current = event => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step !== undefined) onPoint((index + step + entries.length) % Math.max(1, entries.length))
      else if (event.key === 'Enter') choose(active)
      else return
      event.preventDefault()
    }
    if (last.current === 'Enter' && !isPending) {
      last.current = ''
      choose(active)
    }
  })
  const wanted = typed.replace(PREFIX, '').trim()
  return (
    <>
      <Box id="commands" role="listbox" aria-label={t('search.open')} maxH="min(420px, 60dvh)" overflow="auto" p="1.5">
        {entries.map((entry, place) => (
          <Fragment key={`${entry.group}${entry.id}`}>
            {entry.group === entries[place - 1]?.group ? null : (
              <Text
                px="2"
                pt={place === 0 ? '1' : '3'}
                pb="1"
                fontSize="2xs"
                fontWeight="semibold"
                color="fg.subtle"
                role="presentation"
              >
                {t(`search.group.${entry.group}`)}
              </Text>
            )}
            <HStack
              id={`command-${place}`}
              role="option"
              aria-selected={place === index}
              gap="3"
              px="2"
              minH={{ base: '11', md: '9' }}
              borderRadius="md"
              cursor="pointer"
              fontSize="sm"
              {...(place === index ? highlight : {})}
              onPointerMove={() => onPoint(place)}
              onClick={() => choose(entry)}
            >
              <Box boxSize="4" color="fg.muted">
                {entry.icon ? <entry.icon size={16} strokeWidth={1.75} aria-hidden="true" /> : null}
              </Box>
              <Text as="span" truncate>
                <Marked text={entry.words} wanted={wanted} />
              </Text>
              {entry.beside ? (
                <Text as="span" textStyle="secondary" color="fg.muted" truncate flex="1">
                  {entry.beside}
                </Text>
              ) : (
                <Box flex="1" />
              )}
              {entry.keys === undefined ? null : <Kbd>{entry.keys}</Kbd>}
              {place === index ? (
                <Kbd>
                  <CornerDownLeft size={11} aria-hidden="true" />
                </Kbd>
              ) : null}
            </HStack>
          </Fragment>
        ))}
        {entries.length === 0 ? (
          <Text px="3" py="6" textAlign="center" color="fg.muted" textStyle="dense">
            {t('nothing')}
          </Text>
        ) : null}
      </Box>
      <Hints />
    </>
  )
}
