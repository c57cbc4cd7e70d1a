import { Box, Button, chakra, Field, HStack, Input, Stack, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { ChevronDown, Circle, CircleCheck, Coffee, Flag, Unplug } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DESK_STATES } from '#schemas/api/desk.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { AnchoredPopover } from '#web/components/anchored-popover.tsx'
import { LabelledSelect } from '#web/form/labelled-select.tsx'
import { minuteOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'
import type { DeskSummary } from '#web/shell/desk-summary.ts'
import { goesOver } from './urgency.ts'

const LOOK = {
  available: { icon: CircleCheck, color: 'positive.fg' },
  paused: { icon: Coffee, color: 'warning.fg' },
  finishing: { icon: Flag, color: 'warning.fg' },
  offline: { icon: Circle, color: 'fg.muted' },
} as const

/** Time of day (`12:30`) as the next such moment, ISO 8601 UTC; undefined for no time. */
const nextMoment = (clock: string): string | undefined => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  if (clock === '') return undefined
  const at = new Date()
  at.setHours(hours, minutes, 0, 0)
  if (at.getTime() <= Date.now()) at.setDate(at.getDate() + 1)
  return at.toISOString()
}

type Reasons = DeskSummary['pausereasons']

/** Name of a reason for a break: that of the desk setting, else the usual text. */
const useReasonName = () => {
  const { t } = useTranslation('desk')
  return (key: string, name: string | null): string => name ?? t(`state.reasons.${key}`, { defaultValue: key })
}

interface PauseProps {
  readonly anchor: HTMLElement | null
  readonly reasons: Reasons
  readonly onClose: () => void
  readonly onPause: (reason: string, until: string | undefined) => void
}

/** Reason and end of a pause. */
const PausePanel = ({ anchor, reasons, onClose, onPause }: PauseProps) => {
  const { t } = useTranslation('desk')
  const reasonName = useReasonName()
  const [reason, setReason] = useState(reasons[0]?.key ?? '')
  const [until, setUntil] = useState('')
  return (
    <AnchoredPopover
      anchor={anchor}
      align="end"
      onClose={onClose}
      role="dialog"
      aria-label={t('state.pausetitle')}
      p="4"
      w="280px"
    >
      <Stack gap="3">
        <Text textStyle="card">{t('state.pausetitle')}</Text>
        <LabelledSelect
          label={t('state.reason')}
          value={reason}
          options={reasons.map(({ key, name }) => [key, reasonName(key, name)])}
          onChange={setReason}
        />
        <Field.Root>
          <Field.Label>{t('state.until')}</Field.Label>
          <Input type="time" value={until} onChange={event => setUntil(event.target.value)} />
          <Field.HelperText>{t('state.untilhint')}</Field.HelperText>
        </Field.Root>
        <Text textStyle="secondary" color="fg.muted">
          {t('state.keeps')}
        </Text>
        <HStack justify="flex-end">
          <Button variant="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button variant="solid" onClick={() => onPause(reason, nextMoment(until))}>
            {t('state.pause')}
          </Button>
        </HStack>
      </Stack>
    </AnchoredPopover>
  )
}

/** Sets the caller's state. */
const useSetState = () => {
  const { t } = useTranslation('desk')
  const client = useQueryClient()
  return async (state: DeskSummary['me']['state'], reason?: string, until?: string) => {
    try {
      await http.put('/desk/state', { body: { state, reason, until } })
      await client.invalidateQueries({ queryKey: ['desk'] })
    } catch (failure) {
      notice.toast(failureOf(failure, t('state.failed')), { tone: 'danger' })
    }
  }
}

interface SwitchProps {
  readonly me: DeskSummary['me']
  readonly reasons: Reasons
}

/** The caller's state: available, paused for a reason, only finishing, or offline. */
export const StateSwitch = ({ me, reasons }: SwitchProps) => {
  const { t } = useTranslation('desk')
  const box = useRef<HTMLDivElement>(null)
  const [isPausing, setPausing] = useState(false)
  const setState = useSetState()
  const choose = (state: DeskSummary['me']['state'], reason?: string, until?: string) => {
    setPausing(false)
    void setState(state, reason, until)
  }
  const { icon: Icon, color } = LOOK[me.state]
  return (
    <Box ref={box}>
      <ActionMenu
        label={t('state.title')}
        actions={DESK_STATES.map(state => ({
          id: state,
          label: t(`state.${state}`),
          icon: LOOK[state].icon,
          checked: state === me.state,
          run: () => (state === 'paused' ? setPausing(true) : choose(state)),
        }))}
      >
        <Button minH={{ base: '11', md: '8' }} aria-label={`${t('state.title')}: ${t(`state.${me.state}`)}`}>
          <Box color={color}>
            <Icon size={14} aria-hidden="true" />
          </Box>
          {t(`state.${me.state}`)}
          <ChevronDown size={14} aria-hidden="true" />
        </Button>
      </ActionMenu>
      {isPausing ? (
        <PausePanel
          anchor={box.current}
          reasons={reasons}
          onClose={() => setPausing(false)}
          onPause={(reason, until) => choose('paused', reason, until)}
        />
      ) : null}
    </Box>
  )
}

/** Duration of the warning about the capacity, ms. */
const OVER_MS = 6_000

/** Shows a warning for each further chat above the capacity of the caller. */
export const useOverCapacity = ({ load, capacity }: Pick<DeskSummary['me'], 'load' | 'capacity'>): void => {
  const { t } = useTranslation('desk')
  const before = useRef(load)
  useEffect(() => {
    if (goesOver(before.current, { load, capacity }))
      notice.snack(t('load.overnow', { load, count: load - capacity }), { tone: 'warning', lasts: OVER_MS })
    before.current = load
  }, [load, capacity, t])
}

/** Text beside the load: the end or reason of a pause, or the limit. */
const LoadNote = ({ me }: { readonly me: DeskSummary['me'] }) => {
  const { t } = useTranslation('desk')
  const reasonName = useReasonName()
  const { state, until, reason, reasonname, load, capacity } = me
  if (state === 'paused') {
    const pause = reason === null ? null : reasonName(reason, reasonname)
    return until === null ? pause : t('state.pauseduntil', { time: minuteOf(until) })
  }
  if (load < capacity || state === 'offline') return null
  if (load === capacity) return t('load.full')
  return (
    <chakra.b color="warning.fg" fontWeight="semibold">
      {t('load.over', { count: load - capacity })}
    </chakra.b>
  )
}

/** `With you 3 of 5`, as a bar with a part for each place, and when a pause ends. */
export const Capacity = ({ me }: { readonly me: DeskSummary['me'] }) => {
  const { t } = useTranslation('desk')
  const isFull = me.load >= me.capacity
  return (
    <HStack gap="2.5" rowGap="0" flexWrap="wrap" textStyle="secondary" color="fg.muted">
      <Text as="span">
        {t('load.label')}{' '}
        <chakra.b color="fg" fontVariantNumeric="tabular-nums">
          {t('load.of', { load: me.load, capacity: me.capacity })}
        </chakra.b>
      </Text>
      <HStack gap="2px" aria-hidden="true">
        {Array.from({ length: Math.max(me.capacity, me.load) }, (_, place) => (
          <chakra.span
            // biome-ignore lint/suspicious/noArrayIndexKey: places are alike
            key={place}
            w={me.capacity > 8 ? '6px' : '13px'}
            h="6px"
            borderRadius="1px"
            bg={place < me.load ? (isFull ? 'warning.solid' : 'fg.muted') : 'bg.emphasized'}
          />
        ))}
      </HStack>
      <Text as="span" ms="auto">
        <LoadNote me={me} />
      </Text>
    </HStack>
  )
}

/** Says that no chats come while the caller is offline or only finishes. */
export const NothingNewBand = ({ state }: { readonly state: 'offline' | 'finishing' }) => {
  const { t } = useTranslation('desk')
  const setState = useSetState()
  return (
    <HStack gap="2" px="3.5" py="1.5" bg="bg.sunken" textStyle="secondary" borderBottomWidth="1px">
      <Text flex="1">{t(`${state}.text`)}</Text>
      <Button size="xs" minH={{ base: '11', md: '7' }} onClick={() => void setState('available')}>
        {t('offline.do')}
      </Button>
    </HStack>
  )
}

/** A connection that is back within this time was no loss, ms. */
const LOST_MS = 10_000

/** Warning while the socket of the desk is closed: new chats go to others. */
export const LostBand = ({ isConnected }: { readonly isConnected: boolean }) => {
  const { t } = useTranslation('desk')
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    if (isConnected) return
    const timer = setTimeout(() => setLost(true), LOST_MS)
    return () => {
      clearTimeout(timer)
      setLost(false)
    }
  }, [isConnected])
  return isLost ? (
    <HStack
      role="status"
      gap="2"
      px="3.5"
      py="1.5"
      bg="warning.subtle"
      color="warning.fg"
      textStyle="secondary"
      borderBottomWidth="1px"
      borderColor="warning.emphasized"
    >
      <Unplug size={14} aria-hidden="true" />
      <Text flex="1">{t('lost.text')}</Text>
    </HStack>
  ) : null
}
