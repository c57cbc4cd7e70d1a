import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { CircleAlert, X } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { UntestedQuestion } from '#web/entity/untested.ts'
import { testAddress } from '#web/features/conversationtest/index.ts'
import { SwitchLabel } from '#web/form/control/choice-control.tsx'
import { TextControl } from '#web/form/control/line-control.tsx'
import { RouterLink } from '#web/page/router-link.ts'

export interface FailedTest {
  readonly id: string
  readonly bot: string
  readonly name: string
  /** Counted from 1; 0 where it did not begin. */
  readonly step: number
  readonly kind: string
}

interface FailedTestsProps {
  readonly failed: readonly FailedTest[]
  /** One of them is opened. */
  readonly onFollow?: () => void
}

/** Tests that fail, each with where and why, leading to it. */
export const FailedTests = ({ failed, onFollow }: FailedTestsProps) => {
  const { t } = useTranslation('conversationtest')
  return (
    <>
      <HStack gap="2" color="danger.fg" mb="1" textStyle="dense" fontWeight="semibold" align="start">
        <Box flex="none" pt="0.5">
          <CircleAlert size={16} aria-hidden="true" />
        </Box>
        {t('publish.failed', { count: failed.length })}
      </HStack>
      <chakra.ul listStyleType="none" maxH="160px" overflowY="auto" tabIndex={0} aria-label={t('title')}>
        {failed.map(({ id, bot, name, step, kind }) => (
          <chakra.li key={id} display="flex" gap="2" alignItems="baseline" textStyle="dense" py="0.5" ps="6">
            <chakra.span color="danger.fg" flex="none" alignSelf="center">
              <X size={13} aria-hidden="true" />
            </chakra.span>
            <span>
              <RouterLink
                to={testAddress(bot, id)}
                textDecoration="underline"
                fontWeight="semibold"
                overflowWrap="anywhere"
                {...(onFollow === undefined ? {} : { onClick: onFollow })}
              >
                {name}
              </RouterLink>{' '}
              <chakra.span color="fg.muted">
                {step === 0 ? '' : `${t('publish.step', { step })} · `}
                {t(`kind.${kind as 'message'}`)}
              </chakra.span>
            </span>
          </chakra.li>
        ))}
      </chakra.ul>
    </>
  )
}

interface UntestedReasonProps {
  readonly permitted: boolean
  readonly what: 'publish' | UntestedQuestion['what']
  /** Undefined while one does not want to go past them. */
  readonly reason: string | undefined
  onReason(reason: string | undefined): void
}

/** The way past failing tests, with the reason for it; or who could. */
export const UntestedReason = ({ permitted, what, reason, onReason }: UntestedReasonProps) => {
  const { t } = useTranslation('conversationtest')
  const id = useId()
  if (!permitted)
    return (
      <Text mt="2" textStyle="dense" color="fg.muted">
        {t(`untested.maynot.${what}`)}
      </Text>
    )
  return (
    <Box mt="3">
      <SwitchLabel
        label={t(`untested.anyway.${what}`)}
        value={reason !== undefined}
        onChange={isOn => onReason(isOn ? '' : undefined)}
      />
      {reason === undefined ? null : (
        <Box mt="2">
          <chakra.label htmlFor={`${id}reason`} textStyle="dense" fontWeight="medium" color="fg.muted">
            {t(`untested.reason.${what}`)}
          </chakra.label>
          <TextControl id={`${id}reason`} value={reason} max={2000} onChange={value => onReason(value ?? '')} />
          <Text textStyle="secondary" color="fg.muted" mt="1">
            {t('publish.reasonhint')}
          </Text>
        </Box>
      )}
    </Box>
  )
}
