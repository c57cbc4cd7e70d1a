import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { ExternalLink, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { isPushed } from '#schemas/channel-type.ts'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import { IconButton } from '#web/components/hint.tsx'
import { useLabel } from '#web/entity/label.ts'
import { useShortcut } from '#web/shell/use-shortcut.ts'
import { ActButton } from './act-button.tsx'
import { nameOf } from './channel-row.tsx'
import { ConnectionTest } from './connection-test.tsx'
import { type Health, isInGroup, TONE, useCause } from './health-query.ts'
import { LastEvents } from './last-events.tsx'
import { StateChip } from './state-chip.tsx'
import { TestMessage } from './test-message.tsx'
import { TodayActivity } from './today-activity.tsx'
import type { TestAnswer } from './use-channel-test.ts'

const RouterLink = chakra(Link)

const PanelPart = ({ children }: { readonly children: ReactNode }) => (
  <Box p="4" borderTopWidth="1px">
    {children}
  </Box>
)

interface PartsProps {
  readonly row: RowOf<'channel'>
  readonly answer: TestAnswer | undefined
  readonly isBusy: boolean
  onTest(): void
  onConnect(): void
}

/** A test message, the messages of today, and the last events. */
export const ChannelFacts = ({ row }: Pick<PartsProps, 'row'>) => {
  const { can } = useSession()
  return (
    <>
      {isPushed(row.type) && can('testchannel') ? (
        <PanelPart>
          <TestMessage key={row.id} row={row} />
        </PanelPart>
      ) : null}
      <PanelPart>
        <TodayActivity row={row} />
      </PanelPart>
      {can('readbot') ? (
        <PanelPart>
          <LastEvents row={row} />
        </PanelPart>
      ) : null}
    </>
  )
}

/** The test of what is saved, and the facts of the channel. */
export const PanelParts = ({ row, ...test }: PartsProps) => (
  <>
    <PanelPart>
      <ConnectionTest row={row} {...test} />
    </PanelPart>
    <ChannelFacts row={row} />
  </>
)

interface Props extends PartsProps {
  readonly health: Health
  onClose(): void
}

/** State of a channel with its cause and act. */
const Cause = ({ row, health, onTest }: Pick<Props, 'row' | 'health' | 'onTest'>) => {
  const { t } = useTranslation('entity/channel')
  const cause = useCause()
  const tone = TONE[health.state]
  const isWrong = isInGroup('attention', health.state)
  return (
    <Box
      p="4"
      borderTopWidth="1px"
      {...(isWrong ? { colorPalette: tone, bg: 'colorPalette.subtle', borderColor: 'colorPalette.muted' } : {})}
    >
      <StateChip health={health} isOnTint={isWrong} />
      {health.code === '' ? null : (
        <Text mt="2" textStyle="dense" overflowWrap="anywhere">
          {cause(health, row)}
        </Text>
      )}
      {health.waiting === 0 ? null : (
        <Text mt="1" textStyle="dense">
          {t('health.waiting', { count: health.waiting })}
        </Text>
      )}
      <ActButton row={row} health={health} onTest={onTest} variant="solid" size="sm" mt="3" />
    </Box>
  )
}

/** Beside the list: cause and act of a channel, its test, and its last events. */
export const ChannelPanel = ({ row, health, answer, isBusy, onTest, onConnect, onClose }: Props) => {
  const { t } = useTranslation('entity/channel')
  const { t: ts } = useTranslation('shell')
  const label = useLabel()
  const type = label.option('channel', 'type', row.type)
  const name = nameOf(row, type)
  // For any focus: a button that runs a test loses it.
  useShortcut('Escape', onClose)
  return (
    <chakra.aside aria-label={name} w="340px" flex="none" overflow="auto" bg="bg.surface" borderInlineStartWidth="1px">
      <HStack p="4" gap="2">
        <Box flex="1" minW="0">
          <Text as="h2" textStyle="title" overflowWrap="anywhere">
            {name}
          </Text>
          <Text textStyle="secondary" color="fg.muted">
            {type}
          </Text>
        </Box>
        <RouterLink
          to={`/channel/${row.id}?pid=${row.bot}`}
          aria-label={ts('open')}
          title={ts('open')}
          p="2"
          borderRadius="md"
          color="fg.muted"
          focusVisibleRing="outside"
          _hover={{ bg: 'bg.hover' }}
        >
          <ExternalLink size={16} strokeWidth={1.75} aria-hidden="true" />
        </RouterLink>
        <IconButton icon={X} label={t('health.close')} onClick={onClose} />
      </HStack>
      <Cause row={row} health={health} onTest={onTest} />
      <PanelParts {...{ row, answer, isBusy, onTest, onConnect }} />
    </chakra.aside>
  )
}
