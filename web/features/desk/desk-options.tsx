import { Button, HStack, Kbd, Stack, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { BellRing, Keyboard, VolumeX } from 'lucide-react'
import { type ComponentProps, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BodyOf } from '#schemas/api/routes.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { AnchoredPopover } from '#web/components/anchored-popover.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { SwitchLabel } from '#web/form/control/choice-control.tsx'
import { LabelledSelect } from '#web/form/labelled-select.tsx'
import { help } from '#web/help/help-state.ts'
import { notice } from '#web/notice/notice.ts'
import { type DeskSummary, deskSummaryQuery } from '#web/shell/desk-summary.ts'
import { DESK } from '#web/shell/storage-keys.ts'

/** A user's choices about this browser; sounds belong to their agent profile. */
export interface DeskPreferences {
  readonly keys: boolean
  /** Enter sends and Shift Enter breaks the line; otherwise Ctrl Enter sends. */
  readonly enterSends: boolean
  /** Notifications of the browser. */
  readonly notify: boolean
}

const INITIAL: DeskPreferences = { keys: true, enterSends: true, notify: false }

const stored = (key: string): DeskPreferences => {
  try {
    return { ...INITIAL, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<DeskPreferences>) }
  } catch {
    return INITIAL
  }
}

export const useDeskPreferences = () => {
  const { user } = useSession()
  const key = DESK + user.id
  const [preferences, setPreferences] = useState(() => stored(key))
  const change = (changed: Partial<DeskPreferences>) => {
    const next = { ...preferences, ...changed }
    localStorage.setItem(key, JSON.stringify(next))
    setPreferences(next)
  }
  return { preferences, change }
}

/** Frequencies of the two tones of a sound, Hz. */
const TONES = { chat: [660, 880], message: [520, 520] } as const
const TONE_S = 0.12

let context: AudioContext | undefined

/** Whether the browser plays sounds on this page: it allows them after a click or a key. */
const isSoundAllowed = (): boolean => context?.state === 'running'

/** Asks the browser to allow sounds; it does within a click or a key press. */
const allowSound = async (): Promise<boolean> => {
  context ??= new AudioContext()
  // Without a gesture of the user `resume` waits for one instead of failing.
  const waited = new Promise<void>(resolve => setTimeout(resolve, 300))
  await Promise.race([context.resume().catch(() => undefined), waited])
  return isSoundAllowed()
}

export const playSound = (kind: keyof typeof TONES): void => {
  if (context?.state !== 'running') return
  for (const [place, frequency] of TONES[kind].entries()) {
    const start = context.currentTime + place * (TONE_S + 0.03)
    const oscillator = context.createOscillator()
    const volume = context.createGain()
    oscillator.frequency.value = frequency
    volume.gain.setValueAtTime(0.0001, start)
    volume.gain.exponentialRampToValueAtTime(0.18, start + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, start + TONE_S)
    oscillator.connect(volume).connect(context.destination)
    oscillator.start(start)
    oscillator.stop(start + TONE_S)
  }
}

const SOUNDS = ['off', 'unfocused', 'always'] as const

const Row = (props: Pick<ComponentProps<typeof SwitchLabel>, 'label' | 'value' | 'onChange'>) => (
  <SwitchLabel {...props} atEnd line={{ textStyle: 'dense' }} />
)

interface OptionsProps {
  readonly self: DeskSummary['self']
  readonly preferences: DeskPreferences
  readonly onChange: (changed: Partial<DeskPreferences>) => void
}

/** Changes the caller's agent profile at once, and again when the server refuses. */
const usePatchSelf = () => {
  const { t } = useTranslation('desk')
  const client = useQueryClient()
  return async (body: BodyOf<'PATCH /desk/self'>) => {
    client.setQueryData<DeskSummary>(deskSummaryQuery.queryKey, before =>
      before === undefined
        ? before
        : { ...before, self: { ...before.self, ...(body as Partial<DeskSummary['self']>) } },
    )
    try {
      await http.patch('/desk/self', { body })
      if (await allowSound()) playSound('chat')
    } catch (failure) {
      notice.toast(failureOf(failure, t('failed')), { tone: 'danger' })
    }
    await client.invalidateQueries({ queryKey: ['desk', 'summary'] })
  }
}

const SoundChoice = ({
  name,
  self,
  onPatch,
}: {
  readonly name: 'sound_chat' | 'sound_message'
  readonly self: DeskSummary['self']
  readonly onPatch: ReturnType<typeof usePatchSelf>
}) => {
  const { t } = useTranslation('desk')
  return (
    <LabelledSelect
      label={t(`options.${name}`)}
      value={self[name]}
      options={SOUNDS.map(one => [one, t(`options.sound.${one}`)])}
      onChange={chosen => void onPatch({ [name]: chosen })}
    />
  )
}

/** Sounds, notifications and keys of the desk. */
const OptionList = ({ self, preferences, onChange, onKeys }: OptionsProps & { readonly onKeys: () => void }) => {
  const { t } = useTranslation('desk')
  const patch = usePatchSelf()
  const notify = async (wanted: boolean) => {
    const isAsked = wanted && typeof Notification !== 'undefined'
    const isGranted = isAsked && (await Notification.requestPermission()) === 'granted'
    onChange({ notify: isGranted })
    if (wanted && !isGranted) notice.snack(t('options.denied'), { tone: 'warning' })
  }
  const own = (name: 'sound_repeat' | 'show_words' | 'onphone') => (
    <Row label={t(`options.${name}`)} value={self[name]} onChange={on => void patch({ [name]: on })} />
  )
  return (
    <Stack gap="3">
      <Text as="h2" textStyle="card" tabIndex={-1} data-autofocus="" outline="none">
        {t('options.title')}
      </Text>
      <SoundChoice name="sound_chat" self={self} onPatch={patch} />
      {own('sound_repeat')}
      <SoundChoice name="sound_message" self={self} onPatch={patch} />
      <Row label={t('options.notify')} value={preferences.notify} onChange={on => void notify(on)} />
      {own('show_words')}
      {own('onphone')}
      <Row
        label={t('options.enter')}
        value={preferences.enterSends}
        onChange={enterSends => onChange({ enterSends })}
      />
      <Row label={t('options.keys')} value={preferences.keys} onChange={keys => onChange({ keys })} />
      <Text textStyle="secondary" color="fg.muted">
        {t('options.closed')}
      </Text>
      <Button variant="ghost" onClick={onKeys}>
        <Keyboard size={15} aria-hidden="true" />
        {t('keys.title')}
        <Kbd>?</Kbd>
      </Button>
    </Stack>
  )
}

/** The button that opens the options of the desk. */
export const DeskOptions = (given: OptionsProps) => {
  const { t } = useTranslation('desk')
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton
        ref={setAnchor}
        icon={BellRing}
        variant="outline"
        label={t('options.title')}
        minH={{ base: '11', md: '8' }}
        minW={{ base: '11', md: '8' }}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen ? (
        <AnchoredPopover
          anchor={anchor}
          align="end"
          onClose={() => setOpen(false)}
          role="dialog"
          aria-label={t('options.title')}
          p="4"
          w="320px"
        >
          <OptionList
            {...given}
            onKeys={() => {
              setOpen(false)
              help.openKeys()
            }}
          />
        </AnchoredPopover>
      ) : null}
    </>
  )
}

/** Says that the browser blocks sounds, until a click allows them. */
export const SoundBand = ({ isWanted }: { readonly isWanted: boolean }) => {
  const { t } = useTranslation('desk')
  const [isAllowed, setAllowed] = useState(true)
  useEffect(() => {
    if (!isWanted) return
    const check = () => void allowSound().then(setAllowed)
    check()
    addEventListener('pointerdown', check)
    addEventListener('keydown', check)
    return () => {
      removeEventListener('pointerdown', check)
      removeEventListener('keydown', check)
    }
  }, [isWanted])
  if (!isWanted || isAllowed || isSoundAllowed()) return null
  return (
    <HStack role="status" gap="2" px="3.5" py="1.5" bg="warning.subtle" color="warning.fg" textStyle="secondary">
      <VolumeX size={14} aria-hidden="true" />
      <Text flex="1">{t('sound.blocked')}</Text>
      <Button size="xs" minH={{ base: '11', md: '7' }} onClick={() => void allowSound().then(setAllowed)}>
        {t('sound.allow')}
      </Button>
    </HStack>
  )
}
