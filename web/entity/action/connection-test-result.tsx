import { Box, HStack, Text } from '@chakra-ui/react'
import { CircleAlert, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabel } from '#web/entity/label.ts'

interface TestAnswer {
  readonly ok: boolean
  /** ms */
  readonly time: number
  readonly checks: readonly {
    readonly part: string
    readonly ok: boolean
    readonly detail: string
    /** Names of fields that have to be filled in for it. */
    readonly missing?: readonly string[]
  }[]
}

interface Props {
  readonly entity: string
  readonly answer: TestAnswer
  /** Remedies, by the part that failed. */
  readonly remedies?: Readonly<Record<string, ReactNode>>
}

/** Findings of a connection test, one line per part, in the entity's texts. */
export const ConnectionTestResult = ({ entity, answer, remedies = {} }: Props) => {
  const { t } = useTranslation(`entity/${entity}`)
  const label = useLabel()
  return (
    <Box
      role={answer.ok ? 'status' : 'alert'}
      mb="4"
      p="3"
      borderWidth="1px"
      borderRadius="lg"
      bg="bg.surface"
      maxW="960px"
    >
      <Text textStyle="dense" fontWeight="semibold" mb="1">
        {t(answer.ok ? 'action.test.ok' : 'action.test.failed')}
        <Text as="span" fontWeight="normal" color="fg.muted">{` · ${answer.time} ms`}</Text>
      </Text>
      {answer.checks.map(({ part, ok, detail, missing = [] }) => (
        <HStack key={part} align="start" gap="2" py="0.5" colorPalette={ok ? 'positive' : 'danger'}>
          <Box color="colorPalette.fg" pt="0.5" flexShrink="0">
            {ok ? <CircleCheck size={15} aria-hidden="true" /> : <CircleAlert size={15} aria-hidden="true" />}
          </Box>
          <Text textStyle="dense" color="fg.muted" overflowWrap="anywhere">
            <Text as="span" color="fg">{`${t(`action.test.part.${part}`)}: `}</Text>
            {detail === '' ? t('action.test.works') : detail}
            {missing.length === 0 ? '' : ` (${missing.map(name => label.field(entity, name)).join(', ')})`}
          </Text>
          {ok ? null : remedies[part]}
        </HStack>
      ))}
    </Box>
  )
}
