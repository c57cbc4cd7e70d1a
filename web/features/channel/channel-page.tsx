import { Box, HStack, Stack, Text } from '@chakra-ui/react'
import { Info } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { channel } from '#schemas/entities/channel.ts'
import { http } from '#web/api/http.ts'
import { LogLink } from '#web/entity/action/log-link.tsx'
import { TestFindings } from '#web/entity/action/test-findings.tsx'
import { useConnectionTest } from '#web/entity/action/use-connection-test.tsx'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { ChannelHealth } from './channel-health.tsx'

const NONE: ReadonlySet<string> = new Set()

/** What is to be entered at the provider of a type. */
const Setup = ({ type }: { readonly type: string }) => {
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
        {t(`setup.${type}`)}
      </Text>
    </HStack>
  )
}

/** A channel: what its provider is told, its form, and a button that tests what is saved. */
export const ChannelPage = () => {
  const { id = '' } = useParams()
  const { answer, button } = useConnectionTest('channel', () => http.post('/channel/{id}/test', { params: { id } }))
  return (
    <EntityDetail
      entity={channel}
      id={id}
      listAt="/channel/search"
      hidden={NONE}
      above={row => (
        <Stack gap="0">
          <ChannelHealth id={id} />
          <Setup type={String(row.type)} />
          {answer === undefined ? null : <TestFindings entity="channel" answer={answer} />}
        </Stack>
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
