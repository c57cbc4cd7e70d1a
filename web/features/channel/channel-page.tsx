import { Box, Button, chakra, HStack, Stack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Info, LayoutTemplate, PlugZap } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { channel } from '#schemas/entities/channel.ts'
import type { RowOf } from '#schemas/row.ts'
import { templateProvider } from '#schemas/template-provider.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ConnectionTestResult, LogLink } from '#web/entity/action/connection-test.tsx'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { useProblemText } from '#web/form/use-problem-text.ts'
import { momentOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'
import { useNoticedAttempt } from '#web/notice/use-attempt.ts'
import { TextLink } from '#web/page/text-link.ts'
import { useFieldFocus } from '#web/page/use-field-focus.ts'
import { MIDDLE, useMedia } from '#web/shell/use-media.ts'
import { ActButton } from './act-button.tsx'
import { ChannelFacts, PanelParts } from './channel-panel.tsx'
import { StateChip, TokenText } from './channel-state.tsx'
import { ConnectButton, useChannelTests } from './connection-test.tsx'
import { healthQuery, isInGroup, TONE, useCause } from './health-query.ts'

/** Whether the provider of a channel lists its templates; those of a number at Meta are read by its account. */
const isListing = ({ type, enable }: RowOf<'channel'>): boolean => {
  const review = templateProvider(type)?.review
  return enable && type !== 'whatsapp_meta' && (review === 'submit' || review === 'list')
}

/** Reads the templates of a channel from its provider. */
const ReadTemplates = ({ row }: { readonly row: RowOf<'channel'> }) => {
  const { t } = useTranslation('entity/channel')
  const { can } = useSession()
  const problem = useProblemText()
  const client = useQueryClient()
  const { isBusy, attempt } = useNoticedAttempt(problem('template.load'))
  if (!isListing(row) || !can('synctemplateschannel')) return null
  const read = () =>
    attempt(async () => {
      const { added, changed, skipped } = await http.post('/channel/{id}/synctemplates', {
        params: { id: row.id },
        body: {},
      })
      await client.invalidateQueries({ queryKey: ['template'] })
      const left = skipped.length === 0 ? '' : ` ${t('action.synctemplates.skipped', { names: skipped.join(', ') })}`
      const done = t('action.synctemplates.done', { added, changed })
      notice.toast(done + left, { tone: skipped.length === 0 ? 'positive' : 'warning' })
    })
  return (
    <Button variant="outline" loading={isBusy} onClick={() => void read()}>
      <LayoutTemplate size={15} aria-hidden="true" />
      {t('action.synctemplates.do')}
    </Button>
  )
}

interface Props {
  readonly row: RowOf<'channel'>
  onTest(): void
}

/** State of a channel with its cause and act, its token, and when something last came in and went out. */
const ChannelHealth = ({ row, onTest }: Props) => {
  const { t } = useTranslation('entity/channel')
  const cause = useCause()
  const { data: health } = useQuery(healthQuery(row.id))
  if (health === undefined) return null
  const { lastin, lastout, waiting, state } = health
  const tone = TONE[state]
  const isWrong = isInGroup('attention', state)
  const facts = [
    ...(waiting === 0 ? [] : [t('health.waiting', { count: waiting })]),
    ...(lastin === null ? [] : [t('health.in', { time: momentOf(lastin) })]),
    ...(lastout === null ? [] : [t('health.out', { time: momentOf(lastout) })]),
  ]
  return (
    <HStack
      gap="3"
      rowGap="2"
      mb="3"
      flexWrap="wrap"
      role="status"
      maxW="960px"
      {...(isWrong
        ? { colorPalette: tone, bg: 'colorPalette.subtle', borderWidth: '1px', borderRadius: 'lg', p: '3' }
        : {})}
    >
      <StateChip health={health} isOnTint={isWrong} />
      <Text textStyle="dense" flex="1 1 240px" minW="0" overflowWrap="anywhere">
        {cause(health, row)}
        <Text as="span" color="fg.muted">
          {`${health.code === '' || facts.length === 0 ? '' : ' · '}${facts.join(' · ')}`}
        </Text>
      </Text>
      {health.tokenends === null ? null : (
        <HStack gap="1.5" textStyle="dense">
          <Text as="span" color="fg.muted">
            {t('health.token')}
          </Text>
          <TokenText row={row} health={health} />
        </HStack>
      )}
      <ActButton row={row} health={health} onTest={onTest} size="sm" />
    </HStack>
  )
}

const NONE: ReadonlySet<string> = new Set()
const accountOf = (row: RowOf<'channel'>): string | undefined => row.metaaccount ?? undefined

/** Says where the fields are that the form of such a channel does not have. */
const OfAccount = ({ account }: { readonly account: string }) => {
  const { t } = useTranslation('entity/channel')
  return (
    <Text textStyle="dense" mb="5" maxW="960px">
      {`${t('setup.ofaccount')} `}
      <TextLink to={`/metaaccount/${account}`}>
        <ReferenceName to="metaaccount" id={account} />
      </TextLink>
    </Text>
  )
}

/** Values to enter at the provider of a type. */
const Setup = ({ type, isOfAccount }: { readonly type: string; readonly isOfAccount: boolean }) => {
  const { t } = useTranslation('entity/channel')
  return (
    <HStack align="start" gap="2.5" mb="5" p="3" borderWidth="1px" borderRadius="lg" bg="bg.surface" maxW="960px">
      <Box color="fg.muted" pt="0.5" flexShrink="0">
        <Info size={15} aria-hidden="true" />
      </Box>
      <Text textStyle="dense" color="fg.muted">
        <Text
          as="span"
          color="fg"
          fontWeight="semibold"
        >{`${t(type === 'webchat' ? 'setup.webchattitle' : 'setup.title')}. `}</Text>
        {t(isOfAccount ? 'setup.accounthook' : `setup.${type}`)}
      </Text>
    </HStack>
  )
}

/** Beside the form, or under it where there is no room. */
const Beside = ({ isUnder, children }: { readonly isUnder: boolean; readonly children: ReactNode }) => {
  const { t } = useTranslation('entity/channel')
  return (
    <chakra.aside
      aria-label={t('health.test')}
      bg="bg.surface"
      css={{ '& > :first-child': { borderTopWidth: 0 } }}
      {...(isUnder
        ? { my: '6', maxW: '960px', borderWidth: '1px', borderRadius: 'lg' }
        : { w: '340px', flex: 'none', overflow: 'auto', borderInlineStartWidth: '1px' })}
    >
      {children}
    </chakra.aside>
  )
}

/** A channel: its health, the steps at its provider, its form, and beside it the test of what is saved and the log. */
export const ChannelPage = () => {
  const { id = '' } = useParams()
  const { t } = useTranslation('entity/channel')
  const { can } = useSession()
  const isMiddle = useMedia(MIDDLE)
  const { answers, busy, test, connect } = useChannelTests()
  const answer = answers.get(id)
  const onTest = () => void test(id)
  const onConnect = () => void connect(id)
  useFieldFocus()
  return (
    <EntityDetail
      entity={channel}
      id={id}
      listAt="/channel/search"
      hidden={NONE}
      above={row => (
        <Stack gap="0">
          <ChannelHealth row={row} onTest={onTest} />
          <Setup type={row.type} isOfAccount={accountOf(row) !== undefined} />
          {accountOf(row) === undefined ? null : <OfAccount account={accountOf(row) ?? ''} />}
          {isMiddle && answer !== undefined ? <ConnectionTestResult entity="channel" answer={answer} /> : null}
        </Stack>
      )}
      aside={row =>
        isMiddle ? null : (
          <Beside isUnder={false}>
            <PanelParts row={row} answer={answer} isBusy={busy.has(id)} onTest={onTest} onConnect={onConnect} />
          </Beside>
        )
      }
      below={row =>
        isMiddle ? (
          <Beside isUnder>
            <ChannelFacts row={row} />
          </Beside>
        ) : null
      }
      actions={row => (
        <>
          <LogLink row={row} />
          <ReadTemplates row={row} />
          {isMiddle ? <ConnectButton row={row} isBusy={busy.has(id)} onConnect={onConnect} /> : null}
          {isMiddle && can('testchannel') ? (
            <Button variant="outline" loading={busy.has(id)} title={t('action.test.saved')} onClick={onTest}>
              <PlugZap size={15} aria-hidden="true" />
              {t('action.test.do')}
            </Button>
          ) : null}
        </>
      )}
    />
  )
}
