import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { AnchoredPopover } from '#web/components/anchored-popover.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Hint } from '#web/components/hint.tsx'
import { nameOf } from '#web/components/person-avatar.tsx'
import { addressOf } from '#web/entity/address.ts'
import { useName } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { Select } from '#web/form/labelled-select.tsx'
import { numberText } from '#web/format/number.ts'
import { agoOf, momentOf } from '#web/format/time.ts'
import { RouterLink } from '#web/page/router-link.ts'
import { allNotificationsQuery, type NotificationItem, notificationsQuery } from './use-notification.ts'

const KINDS = {
  alert: { icon: CircleAlert, tone: 'danger' },
  warn: { icon: TriangleAlert, tone: 'warning' },
  info: { icon: Info, tone: 'info' },
} as const

/** Renders names marked by `<b>`. */
const Marked = ({ text }: { text: string }) =>
  text.split(/<\/?b>/).map((part, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence
    at % 2 === 1 ? <b key={at}>{part}</b> : part,
  )

/** Numbers as people read them. */
const shownParams = (params: NonNullable<NotificationItem['params']>) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'number' ? numberText(value, { maximumFractionDigits: 1 }) : value,
    ]),
  )

/** The chat that a notification of the desk is about, else its queue. */
const deskAddressOf = ({ message, entityid, params }: NotificationItem): string | undefined => {
  if (!message.startsWith('desk.')) return undefined
  const conversation = params?.conversation
  return typeof conversation === 'string' && conversation !== ''
    ? `/desk?open=${conversation}`
    : `/desk?queue=${entityid ?? ''}`
}

const Item = ({ item, fresh, onGo }: { item: NotificationItem; fresh: boolean; onGo: () => void }) => {
  const { t, i18n } = useTranslation('shell')
  const kind = KINDS[item.notificationType] ?? KINDS.info
  const known = useName(item.entity ?? '', item.entityid)
  const name = typeof item.params?.name === 'string' ? item.params.name : (known ?? '')
  const actor = item.actor ? nameOf(item.actor) : t('bell.someone')
  const key = i18n.exists(`shell:bell.message.${item.message}`) ? `bell.message.${item.message}` : 'bell.other'
  const comment = item.params?.comment
  const view = typeof comment === 'string' ? { comment } : {}
  const { page } = item.params ?? {}
  const to =
    (typeof page === 'string' && page.startsWith('/bot/insight/') ? page : undefined) ??
    deskAddressOf(item) ??
    (item.entity && item.entityid ? addressOf(item.entity, item.entityid, view) : undefined)
  const look = {
    display: 'flex',
    gap: '3',
    px: '4',
    py: '2.5',
    alignItems: 'center',
    borderTopWidth: '1px',
    bg: fresh ? 'accent.subtle' : 'transparent',
  } as const
  const content = (
    <>
      <Box
        colorPalette={kind.tone}
        bg="colorPalette.subtle"
        color="colorPalette.fg"
        borderRadius="full"
        p="7px"
        flex="none"
      >
        <kind.icon size={16} strokeWidth={1.75} aria-label={t(`bell.${item.notificationType}`)} />
      </Box>
      <Text flex="1" minW="0" textStyle="dense" overflowWrap="anywhere">
        <Marked text={t(key, { ...shownParams(item.params ?? {}), name, actor })} />
        {item.counter > 1 ? (
          <Text as="span" color="fg.muted" whiteSpace="nowrap">
            {' · '}
            {t('bell.times', { count: item.counter })}
          </Text>
        ) : null}
      </Text>
      <Hint text={momentOf(item.time)}>
        <Text as="time" textStyle="secondary" color="fg.muted" whiteSpace="nowrap">
          {agoOf(item.time)}
        </Text>
      </Hint>
      <Box boxSize="2" borderRadius="full" flex="none" bg={fresh ? 'accent.solid' : 'transparent'} />
    </>
  )
  return to === undefined ? (
    <Box {...look}>{content}</Box>
  ) : (
    <RouterLink to={to} onClick={onGo} {...look} _hover={{ bg: 'bg.muted' }} focusVisibleRing="inside">
      {content}
    </RouterLink>
  )
}

interface ScopeChoiceProps {
  readonly scope: string
  readonly scopes: readonly string[]
  onChange(scope: string): void
}

/** About which entity notifications are shown; empty: about all. */
const ScopeChoice = ({ scope, scopes, onChange }: ScopeChoiceProps) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  return (
    <Select
      w="auto"
      minW="140px"
      field={{ 'aria-label': t('bell.scope') }}
      value={scope}
      none={t('bell.all')}
      options={scopes.map(one => [one, label.plural(one)])}
      onChange={onChange}
    />
  )
}

/** The newest notifications; seeing them marks them as read. */
export const NotificationList = ({ anchor, onClose }: { anchor: HTMLElement | null; onClose: () => void }) => {
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  const page = useQuery(notificationsQuery).data
  const [fresh] = useState(() => new Set((page?.items ?? []).filter(item => !item.read).map(item => item.id)))
  useEffect(() => {
    if (fresh.size === 0) return
    void http
      .post('/notification/read', { body: { ids: [...fresh] } })
      .then(() => client.invalidateQueries({ queryKey: ['notification'] }))
  }, [fresh, client])
  const [scope, setScope] = useState('')
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(allNotificationsQuery(scope))
  const items = data?.pages.flatMap(({ items }) => items) ?? page?.items ?? []
  const scopes = page?.scopes ?? []
  return (
    <AnchoredPopover anchor={anchor} align="end" onClose={onClose} role="dialog" aria-label={t('bell.title')} w="500px">
      <HStack px="4" py="2" minH="12" justify="space-between">
        <Text as="h2" textStyle="card" tabIndex={-1} data-autofocus="" outline="none">
          {t('bell.title')}
        </Text>
        {scopes.length > 1 ? <ScopeChoice scope={scope} scopes={scopes} onChange={setScope} /> : null}
      </HStack>
      <Box maxH="300px" overflow="auto" tabIndex={0} aria-label={t('bell.title')} role="region">
        {items.length === 0 ? (
          <EmptyState small title={t('bell.empty')} text={t('bell.emptytext')} />
        ) : (
          items.map(item => <Item key={item.id} item={item} fresh={fresh.has(item.id)} onGo={onClose} />)
        )}
        {hasNextPage ? (
          <Box p="2" borderTopWidth="1px" textAlign="center">
            <Button size="sm" variant="ghost" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t('bell.older')}
            </Button>
          </Box>
        ) : null}
      </Box>
    </AnchoredPopover>
  )
}
