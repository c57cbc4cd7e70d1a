import { Box, Button, HStack, Input, Stack, Text } from '@chakra-ui/react'
import { Check, Copy, Download, KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCopy } from '#web/notice/use-copy.ts'
import { ErrorLine } from './error-state.tsx'
import { Modal } from './modal.tsx'
import { saveFile } from './save-file.ts'

interface Props {
  /** Name of the thing that has the secret. */
  readonly title: string
  readonly value: string
  /** Its environment variable in the file that is offered. */
  readonly variable: string
  readonly texts: {
    readonly label: string
    readonly done: string
    readonly once: string
    /** Shown before the dialog is closed uncopied. */
    readonly sure: string
  }
  onClose(): void
}

/** A token or secret in the only answer that has it. The first close of an uncopied one warns instead. */
export const SecretDialog = ({ title, value, variable, texts, onClose }: Props) => {
  const { t } = useTranslation('access')
  const copy = useCopy()
  const [isCopied, setCopied] = useState(false)
  const [isKept, setKept] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const isWarning = isAsked && !isKept
  const leave = () => {
    if (isKept || isAsked) onClose()
    else setAsked(true)
  }
  const copyValue = async () => {
    if (!(await copy(value))) return
    setCopied(true)
    setKept(true)
  }
  const save = () => {
    saveFile(new Blob([`${variable}=${value}\n`], { type: 'text/plain' }), 'parley.env')
    setKept(true)
  }
  return (
    <Modal
      width={560}
      icon={<KeyRound size={18} aria-hidden="true" />}
      title={title}
      onClose={leave}
      footer={
        <Button variant="outline" onClick={leave}>
          {t(isWarning ? 'made.closeanyway' : 'made.close')}
        </Button>
      }
    >
      <Stack gap="3" mt="3" p="4" borderRadius="lg" bg="positive.subtle">
        <HStack gap="2" color="positive.fg" role="status">
          <Check size={16} aria-hidden="true" />
          <Text textStyle="card">{texts.done}</Text>
        </HStack>
        <Input
          readOnly
          aria-label={texts.label}
          fontFamily="mono"
          bg="bg.surface"
          value={value}
          onFocus={event => event.target.select()}
        />
        <HStack gap="2" flexWrap="wrap">
          <Button variant="solid" data-autofocus="" onClick={() => void copyValue()}>
            <Copy size={15} aria-hidden="true" />
            {t(isCopied ? 'made.copied' : 'made.copy')}
          </Button>
          <Button variant="outline" bg="bg.surface" onClick={save}>
            <Download size={15} aria-hidden="true" />
            {t('made.env')}
          </Button>
        </HStack>
        <Text textStyle="secondary">{texts.once}</Text>
      </Stack>
      {isWarning ? (
        <Box mt="3">
          <ErrorLine text={texts.sure} />
        </Box>
      ) : null}
    </Modal>
  )
}
