import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chatLook } from '#domain/chat-look.ts'
import { fileUrl } from '#web/api/http.ts'
import { type ChatSample, PREVIEW_STATES, type PreviewState, showChatSample } from '#web/chat/chat-sample.ts'
import { iconFaults, MIN_ICON_CONTRAST } from '#web/chat/palette.ts'
import { Segments } from '#web/components/segments.tsx'
import { useLabel } from '#web/entity/label.ts'
import type { SectionPreviewProps } from './section-control-props.ts'

type Look = ReturnType<typeof chatLook>

const fileAddress = (id: string) => fileUrl('/file/{id}', { params: { id } })

/** The chat itself in a shadow root, as sites show it. */
const Chat = ({ look, state }: { readonly look: Look; readonly state: PreviewState }) => {
  const { t, i18n } = useTranslation('entity/chatinterface')
  const host = useRef<HTMLDivElement>(null)
  const sample: ChatSample = {
    hello: t('preview.hello'),
    person: t('preview.person'),
    question: t('preview.question'),
    options: [t('preview.first'), t('preview.second')],
    card: { title: t('preview.card'), text: t('preview.cardtext'), button: t('preview.details') },
    agent: { name: t('preview.agentname'), text: t('preview.agentsays') },
  }
  const shown = useRef(sample)
  shown.current = sample
  useEffect(() => {
    if (host.current !== null)
      showChatSample(host.current, { look, state, sample: shown.current, language: i18n.language })
  }, [look, state, i18n.language])
  // What is shown is no chat to be used: it is out of the tab order and read as one picture.
  return (
    <Box role="img" aria-label={t('preview.title')}>
      <div ref={host} data-inline="" inert />
    </Box>
  )
}

const Faults = ({ look, readOnly, entity, onChange }: SectionPreviewProps & { readonly look: Look }) => {
  const { t } = useTranslation('entity/chatinterface')
  const label = useLabel()
  const faults = iconFaults(look)
  return (
    <Box mt="3" role="status" textStyle="secondary">
      <HStack gap="2" color={faults.length === 0 ? 'positive.fg' : 'danger.fg'} textStyle="dense">
        {faults.length === 0 ? (
          <CircleCheck size={16} aria-hidden="true" />
        ) : (
          <TriangleAlert size={16} aria-hidden="true" />
        )}
        {t(faults.length === 0 ? 'preview.readable' : 'preview.faults')}
      </HStack>
      {faults.map(({ field, under, ratio, proposal }) => (
        <Box key={field} mt="2">
          {t('preview.low', {
            text: label.field(entity.name, field),
            ground: label.field(entity.name, under),
            ratio: ratio.toFixed(1),
            min: String(MIN_ICON_CONTRAST),
          })}
          {readOnly || proposal === undefined ? null : (
            <Button size="xs" variant="outline" ms="2" onClick={() => onChange(field, proposal)}>
              {t('preview.use', { color: proposal })}
            </Button>
          )}
        </Box>
      ))}
    </Box>
  )
}

/** The web chat with the fields as they are edited, in the state that is looked at. */
export const ChatPreview = (props: SectionPreviewProps) => {
  const { t } = useTranslation('entity/chatinterface')
  const [state, setState] = useState<PreviewState>('talk')
  const bare = { bot: {}, themes: [], conversation: undefined, fileAddress }
  const look = chatLook({ ...bare, look: props.values as Parameters<typeof chatLook>[0]['look'] })
  return (
    <chakra.section aria-label={t('preview.title')} position={{ xl: 'sticky' }} top="4">
      <Text textStyle="label" mb="2">
        {t('preview.title')}
      </Text>
      <Segments<PreviewState>
        label={t('preview.states')}
        value={state}
        options={PREVIEW_STATES.map(value => ({ value, label: t(`preview.${value}`) }))}
        onChange={setState}
      />
      <Box mt="3">
        <Chat look={look} state={state} />
      </Box>
      <Faults {...props} look={look} />
    </chakra.section>
  )
}
