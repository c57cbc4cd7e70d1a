import { Box, HStack, Text } from '@chakra-ui/react'
import { Monitor } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Chat } from '#web/chat-window/chat-pane.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Segments } from '#web/components/segments.tsx'

/** A drawn page, in blocks. */
const DrawnPage = () => (
  <Box p="5" aria-hidden="true">
    <HStack justify="space-between">
      <Box w="24" h="3" borderRadius="sm" bg="border.emphasized" />
      <HStack gap="3">
        {[1, 2, 3].map(entry => (
          <Box key={entry} w="10" h="2" borderRadius="sm" bg="border" />
        ))}
      </HStack>
    </HStack>
    <Box mt="5" h="180px" borderRadius="md" bg="bg.sunken" />
    {[1, 2, 3].map(line => (
      <Box key={line} mt="3" h="2.5" w={`${90 - line * 12}%`} borderRadius="sm" bg="bg.sunken" />
    ))}
  </Box>
)

const STATES = ['open', 'closed'] as const
type State = (typeof STATES)[number]

interface Props {
  readonly channel: string
  /** The first site of the chat; undefined without one. */
  readonly site: string | undefined
  onClose(): void
}

/** The chat as it stands on a site. One can talk to it. */
export const SitePreview = ({ channel, site, onClose }: Props) => {
  const { t } = useTranslation('overview')
  const [state, setState] = useState<State>('open')
  return (
    <Modal open width={900} icon={<Monitor size={18} aria-hidden />} title={t('webchat.preview')} onClose={onClose}>
      <HStack mb="3" justify="space-between" flexWrap="wrap" gap="2">
        <Text textStyle="secondary" color="fg.muted">
          {t('webchat.previewhint')}
        </Text>
        <Segments<State>
          label={t('webchat.preview')}
          value={state}
          options={STATES.map(value => ({ value, label: t(`webchat.shown.${value}`) }))}
          onChange={setState}
        />
      </HStack>
      <Box borderWidth="1px" borderRadius="lg" overflow="hidden">
        <HStack gap="1.5" px="3" h="9" bg="bg.sunken" borderBottomWidth="1px">
          {[1, 2, 3].map(dot => (
            <Box key={dot} boxSize="2" borderRadius="full" bg="border.emphasized" />
          ))}
          <Text ms="2" px="3" py="0.5" borderRadius="full" bg="bg.surface" textStyle="secondary" flex="1" truncate>
            {site ?? t('webchat.example')}
          </Text>
        </HStack>
        <Box position="relative" minH={{ base: '480px', md: '560px' }} bg="bg.surface">
          <DrawnPage />
          {state === 'open' ? (
            <Box
              position="absolute"
              right={{ base: '0', md: '4' }}
              bottom={{ base: '0', md: '4' }}
              w={{ base: 'full', md: '360px' }}
              h={{ base: 'full', md: '520px' }}
              display="flex"
              flexDirection="column"
              borderRadius="lg"
              overflow="hidden"
              boxShadow="overlay"
            >
              <Chat channel={channel} />
            </Box>
          ) : (
            <Box
              position="absolute"
              right="4"
              bottom="4"
              boxSize="14"
              borderRadius="full"
              bg="fg"
              role="img"
              aria-label={t('webchat.shown.closed')}
            />
          )}
        </Box>
      </Box>
    </Modal>
  )
}
