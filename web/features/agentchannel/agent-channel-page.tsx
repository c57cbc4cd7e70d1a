import { HStack, Text } from '@chakra-ui/react'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { agentchannel } from '#schemas/entities/agentchannel.ts'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { Chip } from '#web/components/chip.tsx'
import { ConnectionTestResult, LogLink, useConnectionTest } from '#web/entity/action/connection-test.tsx'
import type { Row } from '#web/entity/entity-query.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { useEntityTexts, useLabel } from '#web/entity/label.ts'
import { EntityListPage } from '#web/entity/list/entity-list-page.tsx'
import { DeskOff } from './enable-desk.tsx'

const PROFILE = 'channel_extra_info'

type Channel = Pick<RowOf<'agentchannel'>, 'configured' | 'missing' | 'type'>

/** Names of what a channel lacks: fields as their form calls them, parts of its profile by their path. */
const useMissing = ({ missing }: Channel): string => {
  const { t } = useTranslation('entity/agentchannel')
  const label = useLabel()
  return missing
    .map(name =>
      name.startsWith(`${PROFILE}.`)
        ? t('state.part', { path: name.slice(PROFILE.length + 1) })
        : label.field('agentchannel', name),
    )
    .join(', ')
}

/** Whether chats can be handed to a channel, and what it lacks. */
const ConfiguredCell = ({ row }: { readonly row: Channel }) => {
  useEntityTexts(['agentchannel'])
  const { t } = useTranslation('entity/agentchannel')
  const names = useMissing(row)
  if (row.configured)
    return (
      <Chip tone="positive" icon={CircleCheck}>
        {t('state.ready')}
      </Chip>
    )
  return (
    <HStack gap="2" flexWrap="wrap" rowGap="1">
      <Chip tone="warning" icon={CircleDashed}>
        {t('state.incomplete')}
      </Chip>
      {names === '' ? null : (
        <Text
          as="span"
          textStyle="secondary"
          color="fg.muted"
          whiteSpace="normal"
          overflowWrap="anywhere"
          lineClamp={2}
        >
          {t('state.missing', { names })}
        </Text>
      )}
    </HStack>
  )
}

/** The state of a channel above its form, with how its system was tried. */
const AgentChannelState = ({ row }: { readonly row: Channel }) => {
  const { t } = useTranslation('entity/agentchannel')
  const names = useMissing(row)
  return (
    <>
      {row.configured ? null : (
        <HStack
          role="status"
          colorPalette="warning"
          bg="colorPalette.subtle"
          borderWidth="1px"
          borderRadius="lg"
          p="3"
          mb="3"
          gap="3"
          maxW="960px"
          align="start"
        >
          <Chip tone="warning" bg="bg.surface" icon={CircleDashed}>
            {t('state.incomplete')}
          </Chip>
          <Text textStyle="dense" minW="0" overflowWrap="anywhere">
            {[t('state.nochats'), names === '' ? '' : t('state.missing', { names })].filter(Boolean).join(' ')}
          </Text>
        </HStack>
      )}
      {row.type === 'aacc' ? (
        <Text textStyle="dense" color="fg.muted" mb="3" maxW="960px">
          {t('honest.aacc')}
        </Text>
      ) : null}
    </>
  )
}

const NONE: ReadonlySet<string> = new Set()

/** An agent channel: its form, and a button that calls the system with what is saved. */
export const AgentChannelPage = () => {
  const { id = '' } = useParams()
  const { answer, button } = useConnectionTest('agentchannel', () =>
    http.post('/agentchannel/{id}/test', { params: { id } }),
  )
  return (
    <EntityDetail
      entity={agentchannel}
      id={id}
      listAt="/agentchannel/search"
      hidden={NONE}
      above={row => (
        <>
          <AgentChannelState row={row} />
          {answer === undefined ? null : <ConnectionTestResult entity="agentchannel" answer={answer} />}
        </>
      )}
      actions={row => (
        <>
          <LogLink row={row} />
          {button}
        </>
      )}
    />
  )
}

const CELLS = { configured: (row: Row) => <ConfiguredCell row={row as RowOf<'agentchannel'>} /> }

/** Agent channels of a bot, with the button that turns Parley's own desk on, or of all bots: with what incomplete ones lack. */
export const AgentChannelsPage = () => {
  const { id } = useParams()
  return <EntityListPage cells={CELLS} above={id === undefined ? null : <DeskOff bot={id} />} />
}
