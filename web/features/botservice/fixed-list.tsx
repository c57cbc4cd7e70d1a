import { Box, HStack, Text } from '@chakra-ui/react'
import { CircleCheck, OctagonAlert, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { FixedService } from '#schemas/api/bot-service.ts'
import { IconButton } from '#web/components/icon-button.tsx'
import { useLabel } from '#web/entity/label.ts'
import { useServiceName } from './service-table.tsx'

export interface FixReport {
  readonly services: readonly FixedService[]
  /** Turns taken over from lost nodes. */
  readonly claims: number
}

/** Result of `fix`, per service. */
export const FixedList = ({ fixed, onClose }: { readonly fixed: FixReport; onClose(): void }) => {
  const { t } = useTranslation('operation')
  const { t: shell } = useTranslation('shell')
  const label = useLabel()
  const nameOf = useServiceName()
  return (
    <Box as="section" role="status" mb="4" borderWidth="1px" borderRadius="lg" bg="bg.surface" overflow="hidden">
      <HStack px="4" minH="46px">
        <Text as="h2" textStyle="card" flex="1">
          {t('fixed.title')}
        </Text>
        <IconButton icon={X} label={shell('close')} onClick={onClose} />
      </HStack>
      <Box as="ul" listStyleType="none" textStyle="dense">
        {fixed.services.map(service => (
          <HStack as="li" key={service.systemid} px="4" py="2" gap="3" borderTopWidth="1px">
            <Box color={service.did === 'unmended' ? 'danger.fg' : 'positive.fg'} flex="none">
              {service.did === 'unmended' ? (
                <OctagonAlert size={15} aria-hidden="true" />
              ) : (
                <CircleCheck size={15} aria-hidden="true" />
              )}
            </Box>
            <Text fontWeight="semibold">{nameOf(service)}</Text>
            <Text color="fg.muted">
              {t(`fixed.${service.did}`, { reason: label.option('botservice', 'status', service.after) })}
            </Text>
          </HStack>
        ))}
        <Text as="li" px="4" py="2" borderTopWidth="1px" color="fg.muted">
          {t('fixed.claims', { count: fixed.claims })}
        </Text>
      </Box>
    </Box>
  )
}
