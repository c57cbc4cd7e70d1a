import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Monitor, MonitorSmartphone, Smartphone, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chatLook } from '#domain/chat-look.ts'
import { botLanguage, DEFAULT_LANGUAGE, type Language } from '#schemas/language.ts'
import { fileUrl } from '#web/api/http.ts'
import { alertOfAgent } from '#web/chat/agent-alert.ts'
import {
  type ChatSample,
  PREVIEW_STATES,
  type PreviewDevice,
  type PreviewState,
  showChatSample,
} from '#web/chat/chat-sample.ts'
import { colorPairs } from '#web/chat/chat-styles.ts'
import { Segments } from '#web/components/segments.tsx'
import { detailQuery, listQuery } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import type { SectionPreviewProps } from './section-control-props.ts'

type Look = ReturnType<typeof chatLook>
type Rows = Parameters<typeof chatLook>[0]
type DeviceChoice = 'both' | PreviewDevice

const fileAddress = (id: string) => fileUrl('/file/{id}', { params: { id } })

/** In the language of the bot: visitors of the site see it. */
const useSample = (language: Language): ChatSample => {
  const { t } = useTranslation('entity/chatinterface', { lng: language })
  return {
    hello: t('preview.hello'),
    person: t('preview.person'),
    question: t('preview.question'),
    options: [t('preview.first'), t('preview.second')],
    card: { title: t('preview.card'), text: t('preview.cardtext'), button: t('preview.details') },
    offer: { title: t('preview.offer'), text: t('preview.offertext'), button: t('preview.use_offer') },
    answers: {
      options: t('preview.options'),
      day: t('preview.day'),
      sound: t('preview.sound'),
      film: t('preview.film'),
    },
    agent: { name: t('preview.agentname'), text: t('preview.agentsays') },
  }
}

interface ChatProps {
  readonly language: Language
  readonly look: Look
  readonly state: PreviewState
  readonly device: PreviewDevice
  readonly faults: readonly string[]
}

/** The chat itself in a shadow root, as sites show it. */
const Chat = ({ language, look, state, device, faults }: ChatProps) => {
  const host = useRef<HTMLDivElement>(null)
  const sample = useSample(language)
  const shown = useRef(sample)
  shown.current = sample
  const places = faults.join(' ')
  useEffect(() => {
    if (host.current === null) return
    const options = { look, state, device, language, sample: shown.current, faults: places.split(' ') }
    showChatSample(host.current, options)
  }, [language, look, state, device, places])
  return <div ref={host} inert />
}

/** A window of a site, drawn smaller than it is so that the chat has its own size in it. */
const Desktop = ({ isAlone, ...props }: Omit<ChatProps, 'device'> & { readonly isAlone: boolean }) => {
  const { t } = useTranslation('entity/chatinterface')
  return (
    <Box
      flex="1"
      minW="0"
      w="full"
      display={{ base: isAlone ? 'block' : 'none', md: 'block' }}
      borderWidth="1px"
      borderRadius="lg"
      overflow="hidden"
      bg="bg.surface"
    >
      <HStack gap="1.5" px="3" h="8" bg="bg.sunken" borderBottomWidth="1px">
        {[1, 2, 3].map(dot => (
          <Box key={dot} boxSize="2" borderRadius="full" bg="border" />
        ))}
        <Text textStyle="secondary" color="fg.muted" ms="2" truncate>
          {t('preview.site')}
        </Text>
      </HStack>
      <Box h="570px" style={{ zoom: 0.76 }}>
        <Chat {...props} device="desktop" />
      </Box>
    </Box>
  )
}

const Phone = (props: Omit<ChatProps, 'device'>) => (
  <Box flex="none" w="238px" p="6px" bg="black" borderRadius="28px">
    <Box borderRadius="22px" overflow="hidden" bg="bg.surface">
      <Box h="760px" style={{ zoom: 0.6 }}>
        <Chat {...props} device="phone" />
      </Box>
    </Box>
  </Box>
)

type Pairs = ReturnType<typeof colorPairs>

const PairList = ({ pairs, readOnly, entity, onChange }: SectionPreviewProps & { readonly pairs: Pairs }) => {
  const { t } = useTranslation('entity/chatinterface')
  const label = useLabel()
  const nameOf = (field: string) =>
    field === 'text' || field === 'icon' ? t(`preview.${field}`) : label.field(entity.name, field)
  const hasFault = pairs.some(({ ratio, min }) => ratio < min)
  return (
    <Box mt="3" role="status" textStyle="secondary">
      <HStack gap="2" color={hasFault ? 'danger.fg' : 'positive.fg'} textStyle="dense">
        {hasFault ? <TriangleAlert size={16} aria-hidden="true" /> : <CircleCheck size={16} aria-hidden="true" />}
        {t(hasFault ? 'preview.faults' : 'preview.readable')}
      </HStack>
      <chakra.ul
        listStyleType="none"
        mt="1"
        display="grid"
        gridTemplateColumns={{ base: '1fr', '2xl': '1fr 1fr' }}
        columnGap="4"
      >
        {pairs.map(({ field, under, ratio, min, proposal }) => {
          const isLow = ratio < min
          const words = { text: nameOf(field), ground: label.field(entity.name, under), ratio: ratio.toFixed(1) }
          return (
            <chakra.li
              key={`${field} ${under}`}
              display="flex"
              alignItems="center"
              flexWrap="wrap"
              gap="2"
              py="0.5"
              color={isLow ? 'danger.fg' : 'fg.muted'}
            >
              {isLow ? t('preview.low', { ...words, min: String(min) }) : t('preview.pair', words)}
              {readOnly || proposal === undefined ? null : (
                <Button size="xs" variant="outline" onClick={() => onChange(field, proposal)}>
                  {t('preview.use', { color: proposal })}
                </Button>
              )}
            </chakra.li>
          )
        })}
      </chakra.ul>
    </Box>
  )
}

/** Data of the chat from other entities: name, language and themes of its bot. */
const useSurroundings = (bot: string): Pick<Rows, 'bot' | 'themes'> & { readonly language: Language } => {
  const { data: row } = useQuery({ ...detailQuery('bot', bot), enabled: bot !== '' })
  const { data: themes } = useQuery({ ...listQuery('theme', { bot, size: 100 }), enabled: bot !== '' })
  const language = row === undefined ? DEFAULT_LANGUAGE : botLanguage(row)
  return { bot: { name: row?.name ?? '' }, themes: themes?.items ?? [], language }
}

const DEVICES = [
  { value: 'both', icon: MonitorSmartphone },
  { value: 'desktop', icon: Monitor },
  { value: 'phone', icon: Smartphone },
] as const

/** The web chat with the fields as they are edited, in the state that is looked at. */
export const ChatPreview = (props: SectionPreviewProps) => {
  const { t } = useTranslation('entity/chatinterface')
  const [state, setState] = useState<PreviewState>('talk')
  const [device, setDevice] = useState<DeviceChoice>('both')
  const values = props.values as NonNullable<Rows['look']>
  const { bot, themes, language } = useSurroundings(typeof values.bot === 'string' ? values.bot : '')
  // The words for a closed field are shown where a bot closes it.
  const isClosed = state === 'answers' && values.sendbox_disabled_tooltip
  const owner = { ...bot, disable_userinput_chatwindow_on_buttondisplay: Boolean(isClosed) }
  const look = chatLook({ bot: owner, themes, conversation: undefined, fileAddress, look: values })
  const pairs = colorPairs(look)
  const faults = pairs.flatMap(({ field, ratio, min }) => (ratio < min ? [field] : []))
  const { agentAlert } = look
  const shown = { language, look, state, faults }
  return (
    <chakra.section aria-label={t('preview.title')} position={{ xl: 'sticky' }} top="4">
      <HStack justifyContent="space-between" flexWrap="wrap" gap="2">
        <Box maxW="100%" overflowX="auto">
          <Segments<PreviewState>
            label={t('preview.states')}
            value={state}
            options={PREVIEW_STATES.map(value => ({ value, label: t(`preview.${value}`) }))}
            onChange={setState}
          />
        </Box>
        <Segments<DeviceChoice>
          label={t('preview.devices')}
          value={device}
          options={DEVICES.map(({ value, icon }) => ({ value, icon, iconOnly: true, label: t(`preview.${value}`) }))}
          onChange={setDevice}
        />
      </HStack>
      {/* The preview is not an interactive chat: no tab stops, read as one image. */}
      <HStack mt="3" gap="4" alignItems="flex-start" justifyContent="center" role="img" aria-label={t('preview.title')}>
        {device === 'phone' ? null : <Desktop {...shown} isAlone={device === 'desktop'} />}
        {device === 'desktop' ? null : <Phone {...shown} />}
      </HStack>
      {state === 'agent' && agentAlert.enabled ? (
        <Button size="sm" mt="3" onClick={() => alertOfAgent(agentAlert.sound)}>
          {t('preview.listen')}
        </Button>
      ) : null}
      <PairList {...props} pairs={pairs} />
    </chakra.section>
  )
}
