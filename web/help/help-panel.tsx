import { Box, Button, chakra, HStack, type HTMLChakraProps, Input, Stack, Text } from '@chakra-ui/react'
import { ArrowLeft, ArrowRight, ExternalLink, Keyboard, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { IconButton } from '#web/components/hint.tsx'
import { SideDialog } from '#web/components/side-dialog.tsx'
import { useBotOfPage } from '#web/entity/use-ancestors.ts'
import { dayOf } from '#web/format/time.ts'
import { reachablePages } from '#web/shell/drawer.tsx'
import { help, useHelp } from './help-state.ts'
import { markNewsSeen, NEWS, seenNews } from './news.ts'
import {
  ALL_TOPICS,
  type Article,
  findArticles,
  readTopic,
  relatedTopics,
  type Topic,
  topicAt,
  useArticle,
} from './topics.ts'

const MAX_FOUND = 12

/** Pages that everybody may open and no menu names. */
const OPEN_TO_ALL = ['/', '/account/sessions']

const RowButton = (props: HTMLChakraProps<'button'>) => (
  <chakra.button
    type="button"
    display="block"
    w="100%"
    px="2"
    py="1.5"
    textAlign="start"
    borderRadius="md"
    cursor="pointer"
    _hover={{ bg: 'bg.subtle' }}
    focusVisibleRing="inside"
    {...props}
  />
)

interface TopicButtonProps {
  readonly article: Article
  readonly children?: ReactNode
  onOpen?(): void
}

const TopicButton = ({ article: { name, title }, children, onOpen }: TopicButtonProps) => (
  <RowButton
    onClick={() => {
      help.open(name)
      onOpen?.()
    }}
  >
    <HStack gap="2" fontSize="sm">
      <Text as="span" flex="1">
        {title}
      </Text>
      <ArrowRight size={14} aria-hidden="true" />
    </HStack>
    {children}
  </RowButton>
)

const Found = ({ found, onOpen }: { readonly found: readonly Article[]; onOpen(): void }) => {
  const { t } = useTranslation('help')
  return (
    <>
      <Text role="status" textStyle="secondary" color="fg.muted" mb="1">
        {found.length === 0 ? t('nothing') : t('found', { count: found.length })}
      </Text>
      <Box as="ul" listStyleType="none" mx="-2">
        {found.slice(0, MAX_FOUND).map(article => (
          <li key={article.name}>
            <TopicButton article={article} onOpen={onOpen}>
              <Text textStyle="secondary" color="fg.muted" lineClamp={2}>
                {article.paragraphs[0]}
              </Text>
            </TopicButton>
          </li>
        ))}
      </Box>
    </>
  )
}

/** Link to the page of a topic, for those who may open it. */
const PageLink = ({ to }: { readonly to: string }) => {
  const { t } = useTranslation('help')
  const { can } = useSession()
  const { pathname } = useLocation()
  const bot = useBotOfPage()
  const isOpen = OPEN_TO_ALL.includes(to) || reachablePages(can, bot).some(entry => entry.to === to)
  if (!isOpen || pathname === to) return null
  return (
    <Button asChild size="sm" variant="outline" mt="3">
      <Link to={to}>
        <ExternalLink size={14} aria-hidden="true" />
        {t('gopage')}
      </Link>
    </Button>
  )
}

const Shown = ({ topic }: { readonly topic: Topic }) => {
  const { t } = useTranslation('help')
  const articleOf = useArticle()
  const { title, paragraphs, steps } = articleOf(topic)
  const related = relatedTopics(topic).flatMap(name => readTopic(name) ?? [])
  return (
    <Box as="article">
      <chakra.h3 textStyle="title" mb="2">
        {title}
      </chakra.h3>
      <Stack gap="2" textStyle="body">
        {paragraphs.map(text => (
          <Text key={text}>{text}</Text>
        ))}
        {steps.length === 0 ? null : (
          <chakra.ol ps="5" listStyleType="decimal" display="grid" gap="1">
            {steps.map(text => (
              <li key={text}>{text}</li>
            ))}
          </chakra.ol>
        )}
      </Stack>
      {topic.kind === 'page' && topic.to !== undefined ? <PageLink to={topic.to} /> : null}
      <chakra.h4 textStyle="label" color="fg.muted" mt="5" mb="1">
        {t('related')}
      </chakra.h4>
      <Box as="ul" listStyleType="none" mx="-2">
        {related
          .map(one => articleOf(one))
          .map(article => (
            <li key={article.name}>
              <TopicButton article={article} />
            </li>
          ))}
      </Box>
    </Box>
  )
}

/** News; those after the last time that the reader saw them are marked. */
const News = () => {
  const { t } = useTranslation('help')
  const { user } = useSession()
  const [seen] = useState(() => seenNews(user.id))
  useEffect(() => markNewsSeen(user.id), [user.id])
  return (
    <Box as="section" mt="6" pt="4" borderTopWidth="1px" aria-label={t('news.title')}>
      <chakra.h3 textStyle="card" mb="2">
        {t('news.title')}
      </chakra.h3>
      <Stack as="ul" listStyleType="none" gap="1" mx="-2">
        {NEWS.map(({ id, day, topic }) => (
          <li key={id}>
            <RowButton onClick={() => help.open(topic)}>
              <HStack gap="2" fontSize="sm" fontWeight="semibold">
                {t(`item.${id}.title`)}
                {day > seen ? (
                  <Text as="span" textStyle="caption" color="accent.fg" data-unseen="">
                    {t('news.unseen')}
                  </Text>
                ) : null}
              </HStack>
              <Text textStyle="secondary" color="fg.muted">
                {t(`item.${id}.text`)}
              </Text>
              <Text textStyle="secondary" color="fg.subtle">
                {dayOf(day)}
              </Text>
            </RowButton>
          </li>
        ))}
      </Stack>
    </Box>
  )
}

const useSearch = (search: string) => {
  const articleOf = useArticle()
  if (search.trim() === '') return undefined
  return findArticles(
    ALL_TOPICS.map(topic => articleOf(topic, false)),
    search,
  )
}

const Content = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation('help')
  const { t: ts } = useTranslation('shell')
  const { pathname } = useLocation()
  const { topic: chosen, subject } = useHelp()
  const [search, setSearch] = useState('')
  const found = useSearch(search)
  const box = useRef<HTMLDivElement>(null)
  const topic = readTopic(chosen) ?? readTopic(subject) ?? topicAt(pathname)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another topic is read from its top
  useEffect(() => {
    setSearch('')
    box.current?.scrollTo({ top: 0 })
  }, [chosen])
  return (
    <>
      <HStack px="4" pt="3" pb="2" gap="2">
        <chakra.h2 textStyle="title" flex="1">
          {t('title')}
        </chakra.h2>
        <IconButton icon={X} label={ts('close')} onClick={onClose} data-close="" />
      </HStack>
      <Box px="4" pb="3">
        <Input
          type="search"
          data-autofocus=""
          aria-label={t('search')}
          placeholder={t('search')}
          value={search}
          onChange={event => setSearch(event.target.value)}
          onKeyDown={event => {
            const [first] = found ?? []
            if (event.key !== 'Enter' || first === undefined) return
            help.open(first.name)
            setSearch('')
          }}
        />
      </Box>
      <Box ref={box} flex="1" minH="0" overflowY="auto" px="4" pb="4" tabIndex={0} focusVisibleRing="inside">
        {found !== undefined ? (
          <Found found={found} onOpen={() => setSearch('')} />
        ) : (
          <>
            {chosen === undefined ? null : (
              <Button size="xs" variant="ghost" ms="-2" mb="2" onClick={() => help.open()}>
                <ArrowLeft size={14} aria-hidden="true" />
                {t('back')}
              </Button>
            )}
            {topic === undefined ? null : <Shown topic={topic} />}
            <News />
          </>
        )}
      </Box>
      <Box px="4" py="2.5" borderTopWidth="1px">
        <Button variant="ghost" size="sm" ms="-2" onClick={help.openKeys}>
          <Keyboard size={15} aria-hidden="true" />
          {t('keys.title')}
        </Button>
      </Box>
    </>
  )
}

/** A key that is pressed in here is no command of the page, where Delete would remove a block. */
const keepKey = (event: KeyboardEvent) => {
  if (!event.ctrlKey && !event.metaKey && event.key !== 'F1') event.stopPropagation()
}

/** Help beside the page. The focus moves in, and back where it came from. */
export const HelpPanel = () => {
  const { t } = useTranslation('help')
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const before = document.activeElement
    box.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => {
      const isInside = document.activeElement === document.body || box.current?.contains(document.activeElement)
      if (isInside !== false && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <chakra.aside
      ref={box}
      aria-label={t('title')}
      data-help-panel=""
      display="flex"
      flexDirection="column"
      flex="none"
      w="360px"
      minH="0"
      bg="bg.surface"
      borderInlineStartWidth="1px"
      animation="fade-in 160ms"
      onKeyDown={event => {
        keepKey(event)
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        help.close()
      }}
    >
      <Content onClose={help.close} />
    </chakra.aside>
  )
}

/** Help over the page, where it has no room beside it. */
export const HelpDrawer = () => {
  const { t } = useTranslation('help')
  return (
    <SideDialog
      side="right"
      onClose={help.close}
      onKeyDown={keepKey}
      aria-label={t('title')}
      data-help-panel=""
      w="min(420px, 100vw)"
      bg="bg.surface"
    >
      <Box display="flex" flexDirection="column" h="100%">
        <Content onClose={help.close} />
      </Box>
    </SideDialog>
  )
}
