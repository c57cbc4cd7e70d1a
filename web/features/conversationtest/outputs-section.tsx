import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { ArrowRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { flowAddress } from '#web/entity/address.ts'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { RouterLink } from '#web/page/router-link.ts'
import type { LinkedOutput } from './test-query.ts'

/** Outputs of one dialog that are listed. */
const MAX_SHOWN = 50

interface OutputLinkProps {
  readonly output: LinkedOutput
  readonly bot: string
}

/** From which block to which, leading to the first. */
export const OutputLink = ({ output: { dialog, block, title, to }, bot }: OutputLinkProps) => (
  <RouterLink
    to={flowAddress('dialog', dialog, { bot, block })}
    display="inline-flex"
    alignItems="center"
    gap="1.5"
    textStyle="dense"
    _hover={{ textDecoration: 'underline' }}
    maxW="100%"
    minW="0"
  >
    <chakra.span truncate>{title || block}</chakra.span>
    <chakra.span color="fg.muted" flex="none">
      <ArrowRight size={13} aria-hidden="true" />
    </chakra.span>
    <chakra.span truncate>{to}</chakra.span>
  </RouterLink>
)

interface DialogProps {
  readonly bot: string
  readonly dialog: string
  readonly outputs: readonly LinkedOutput[]
}

const DialogOutputs = ({ bot, dialog, outputs }: DialogProps) => {
  const { t } = useTranslation('conversationtest')
  const left = outputs.filter(({ taken }) => !taken)
  const share = (outputs.length - left.length) / outputs.length
  return (
    <chakra.details borderTopWidth="1px" _first={{ borderTopWidth: '0' }}>
      <chakra.summary
        display="flex"
        alignItems="center"
        gap="3"
        px="4"
        minH={{ base: '11', md: '9' }}
        cursor="pointer"
        textStyle="dense"
        css={{ '&::-webkit-details-marker': { display: 'none' } }}
      >
        <chakra.span flex="1" minW="0" truncate fontWeight="semibold">
          <ReferenceName to="dialog" id={dialog} />
        </chakra.span>
        <chakra.span w="96px" h="6px" borderRadius="full" bg="bg.sunken" overflow="hidden" aria-hidden="true">
          <chakra.span display="block" h="100%" bg="positive.solid" style={{ width: `${share * 100}%` }} />
        </chakra.span>
        <chakra.span color="fg.muted" minW="132px" textAlign="end" fontVariantNumeric="tabular-nums">
          {t('takenof', { taken: outputs.length - left.length, count: outputs.length })}
        </chakra.span>
      </chakra.summary>
      <Box px="4" pb="3">
        {left.length === 0 ? (
          <Text textStyle="secondary" color="fg.muted">
            {t('alltaken')}
          </Text>
        ) : (
          <>
            <Text textStyle="secondary" color="fg.muted" mb="1">
              {t('nottaken')}
            </Text>
            <chakra.ul listStyleType="none" display="grid" gap="1">
              {left.slice(0, MAX_SHOWN).map(output => (
                <li key={`${output.block} ${output.out}`}>
                  <OutputLink output={output} bot={bot} />
                </li>
              ))}
            </chakra.ul>
          </>
        )}
      </Box>
    </chakra.details>
  )
}

interface OutputsProps {
  readonly bot: string
  readonly outputs: readonly LinkedOutput[]
}

/** Which outputs the tests take, dialog by dialog, the ones with the most left first. */
export const OutputsSection = ({ bot, outputs }: OutputsProps) => {
  const { t } = useTranslation('conversationtest')
  if (outputs.length === 0) return null
  const leftOf = (held: readonly LinkedOutput[]) => held.filter(({ taken }) => !taken).length
  const dialogs = [...Map.groupBy(outputs, ({ dialog }) => dialog)].sort(
    ([, one], [, other]) => leftOf(other) - leftOf(one),
  )
  return (
    <Box as="section" mt="5" aria-label={t('outputs')}>
      <HStack mb="2" gap="2">
        <Text as="h2" textStyle="card">
          {t('outputs')}
        </Text>
        <Text textStyle="secondary" color="fg.muted">
          {t('takenof', { taken: outputs.length - leftOf(outputs), count: outputs.length })}
        </Text>
      </HStack>
      <Box borderWidth="1px" borderRadius="lg" bg="bg.surface" overflow="hidden">
        {dialogs.map(([dialog, held]) => (
          <DialogOutputs key={dialog} bot={bot} dialog={dialog} outputs={held} />
        ))}
      </Box>
    </Box>
  )
}
