import { Box, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { isLanguage } from '#schemas/language.ts'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'
import type { ControlProps } from './control-props.ts'
import { LineControl } from './line-control.tsx'

const RUNS = 2

const cron = lazyModule(async () => ({
  ...(await import('#domain/cron/describe-cron.ts')),
  ...(await import('#domain/cron/next-runs.ts')),
}))

interface CronProps extends ControlProps<string> {
  /** IANA time zone of the expression. */
  readonly zone: string
}

const timesOf = (runs: readonly Date[], language: string, timeZone: string): string => {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'short', timeZone })
  return runs.map(run => format.format(run)).join(' · ')
}

/** A cron expression, in words and with its next runs below. */
export const CronControl = ({ zone, ...props }: CronProps) => {
  const { t, i18n } = useTranslation('shell')
  const { value: module } = useLazyModule(cron)
  const language = isLanguage(i18n.language) ? i18n.language : 'en'
  const runs = props.value === '' ? undefined : module?.nextRuns(props.value, Date.now(), zone, RUNS)
  const words = runs?.ok === true ? module?.describeCron(props.value, language) : undefined
  return (
    <Box w="100%">
      <LineControl {...props} monospace placeholder="0 9 * * 1-5" />
      {runs?.ok === true ? (
        <Text mt="1" textStyle="secondary" color="fg.muted" aria-live="polite">
          {words}
          {words === undefined ? '' : '. '}
          {t('form.nextruns', { times: timesOf(runs.value, language, zone), zone })}
        </Text>
      ) : null}
    </Box>
  )
}
