import { Box, chakra, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Ellipsis, KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { apitoken } from '#schemas/entities/apitoken.ts'
import { serviceaccount } from '#schemas/entities/serviceaccount.ts'
import { user } from '#schemas/entities/user.ts'
import type { RowOf } from '#schemas/row.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { Card } from '#web/components/card.tsx'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { useEntityActions } from '#web/entity/action/use-entity-actions.tsx'
import { listQuery } from '#web/entity/entity-query.ts'
import { useScopeText } from '#web/entity/form/permission/pending-permissions.tsx'
import { EntityTile } from '#web/entity/list/cell.tsx'
import { numberText } from '#web/format/number.ts'
import { agoOf, dayOf, momentOf } from '#web/format/time.ts'
import { levelsQuery } from '#web/shell/level.ts'

type Token = RowOf<'apitoken'>

const DAY_MS = 86_400_000
/** Days before the end from which on a token is marked. */
const SOON_DAYS = 14
const UNUSED_DAYS = 90
/** Permissions named in a row. */
const MAX_NAMED = 2

const daysUntil = (time: string): number => Math.ceil((Date.parse(time) - Date.now()) / DAY_MS)

/** Whether it can be used: not revoked, and before its end. */
const isGood = ({ revoked, expires }: Token): boolean => revoked !== true && Date.parse(expires) > Date.now()

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <Box minW="0">
    <Text textStyle="secondary" color="fg.muted" srOnly={{ base: false, md: true }}>
      {label}
    </Text>
    <Box textStyle="dense" overflowWrap="anywhere">
      {children}
    </Box>
  </Box>
)

const Scopes = ({ scopes }: { readonly scopes: readonly string[] }) => {
  const { t } = useTranslation('access')
  const text = useScopeText()
  if (scopes.length === 0) return t('all')
  const names = scopes.slice(0, MAX_NAMED).map(text)
  const count = scopes.length - names.length
  return [...names, ...(count > 0 ? [t('more', { count })] : [])].join(', ')
}

const Expiry = ({ token }: { readonly token: Token }) => {
  const { t } = useTranslation('access')
  const { expires, revoked } = token
  const days = daysUntil(expires)
  if (revoked === true) return <Chip>{t('revoked')}</Chip>
  return (
    <HStack gap="2" flexWrap="wrap">
      <span title={momentOf(expires)}>{dayOf(expires)}</span>
      {days <= 0 ? <Chip tone="danger">{t('expired')}</Chip> : null}
      {days > 0 && days <= SOON_DAYS ? (
        <Chip tone="warning">{days === 1 ? t('today') : t('days', { count: days })}</Chip>
      ) : null}
    </HStack>
  )
}

const LastUse = ({ token: { last_used_at, last_used_from, created_at } }: { readonly token: Token }) => {
  const { t } = useTranslation('access')
  const isIdle = Date.now() - Date.parse(last_used_at ?? created_at) > UNUSED_DAYS * DAY_MS
  return (
    <>
      {last_used_at === null ? (
        t('never')
      ) : (
        <span title={[momentOf(last_used_at), last_used_from ?? ''].join(' ')}>{agoOf(last_used_at)}</span>
      )}
      {isIdle ? (
        <Text textStyle="secondary" color="fg.muted">
          {t('unused')}
        </Text>
      ) : null}
    </>
  )
}

const COLUMNS = 'minmax(0, 2.2fr) minmax(0, 1.6fr) minmax(0, 1.2fr) minmax(0, 1fr) minmax(0, 1.4fr)'

interface RowProps {
  readonly token: Token
  /** Name of its account, where the caller may read it. */
  readonly holder: string | undefined
}

const Row = ({ token, holder }: RowProps) => {
  const { t } = useTranslation('access')
  const levels = useQuery(levelsQuery).data
  const { entries, dialog } = useEntityActions(apitoken)
  const kind = token.serviceaccount === null ? 'person' : 'service'
  const isEnding = isGood(token) && daysUntil(token.expires) <= SOON_DAYS
  const actions = entries(token, 'row')
  return (
    <HStack
      as="li"
      gap="3"
      px="4"
      py="2.5"
      align="center"
      borderTopWidth="1px"
      color={isGood(token) ? undefined : 'fg.muted'}
      {...(isEnding ? { bg: 'warning.subtle' } : {})}
    >
      <SimpleGrid flex="1" minW="0" gap="2" templateColumns={{ base: '1fr 1fr', md: COLUMNS }}>
        <HStack gap="3" minW="0" gridColumn={{ base: '1 / -1', md: 'auto' }}>
          <EntityTile icon={(kind === 'service' ? serviceaccount : user).icon} />
          <Box minW="0">
            <Text textStyle="card" overflowWrap="anywhere">
              <Link to={`/apitoken/${token.id}`}>
                <chakra.span _hover={{ textDecoration: 'underline' }}>{token.name}</chakra.span>
              </Link>
            </Text>
            <Text textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
              {[holder ?? t(`kind.${kind}`), t('begins', { prefix: token.prefix ?? '' })].join(' · ')}
            </Text>
          </Box>
        </HStack>
        <Fact label={t('can')}>
          <Scopes scopes={token.scopes} />
        </Fact>
        <Fact label={t('level')}>{levels?.find(({ id }) => id === token.level)?.name ?? '–'}</Fact>
        <Fact label={t('used')}>
          <LastUse token={token} />
        </Fact>
        <Fact label={t('expires')}>
          <Expiry token={token} />
        </Fact>
      </SimpleGrid>
      <Box w="8" flex="none">
        {actions.length === 0 ? null : (
          <ActionMenu label={t('actions', { name: token.name })} actions={actions} align="end">
            <IconButton icon={Ellipsis} size="xs" variant="ghost" label={t('actions', { name: token.name })} />
          </ActionMenu>
        )}
      </Box>
      {dialog}
    </HStack>
  )
}

const SIZE = 100

interface Props {
  readonly title: string
  /** Holder of the tokens; undefined: all that the caller may see. */
  readonly user?: string
  readonly holderOf?: (token: Token) => string | undefined
}

/** Tokens, one a row: what each may do, where, until when, and its last use. */
export const TokenCard = ({ title, user: holder, holderOf }: Props) => {
  const { t } = useTranslation('access')
  const query = { size: SIZE, ...(holder === undefined ? {} : { user: holder }) }
  const { data, isPending, error, refetch } = useQuery(listQuery('apitoken', query))
  if (error && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (isPending) return <RowsSkeleton />
  const { items, total } = data
  return (
    <Card
      title={title}
      beside={
        <Text textStyle="dense" color="fg.muted" fontVariantNumeric="tabular-nums">
          {numberText(total)}
        </Text>
      }
    >
      {items.length === 0 ? (
        <EmptyState icon={KeyRound} title={t('none')} text={t('nonetext')} />
      ) : (
        <>
          <HStack hideBelow="md" aria-hidden="true" px="4" py="2" gap="3" bg="bg.subtle" borderTopWidth="1px">
            <SimpleGrid flex="1" gap="2" templateColumns={COLUMNS} textStyle="secondary" color="fg.muted">
              {[t('form.name'), t('can'), t('level'), t('used'), t('expires')].map(column => (
                <span key={column}>{column}</span>
              ))}
            </SimpleGrid>
            <Box w="8" flex="none" />
          </HStack>
          <Box as="ul" listStyleType="none" ps="0">
            {items.map(token => (
              <Row key={token.id} token={token} holder={holderOf?.(token)} />
            ))}
          </Box>
        </>
      )}
    </Card>
  )
}
