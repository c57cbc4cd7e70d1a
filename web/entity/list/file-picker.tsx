import { Button, chakra, Stack, Text } from '@chakra-ui/react'
import { FileSpreadsheet } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  /** Accepted files, and the button text; the defaults are those of CSV. */
  readonly text?: string
  readonly choose?: string
  onChoose(): void
  onDrop(file: File): void
}

/** Drop zone and file chooser. */
export const FilePicker = ({ text, choose, onChoose, onDrop }: Props) => {
  const { t } = useTranslation('list')
  const [isOver, setOver] = useState(false)
  return (
    <Stack
      align="center"
      gap="2"
      mt="2"
      px="5"
      py="8"
      textAlign="center"
      borderWidth="1px"
      borderStyle="dashed"
      borderColor={isOver ? 'accent.solid' : 'border.emphasized'}
      bg={isOver ? 'accent.subtle' : 'bg'}
      borderRadius="lg"
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file !== undefined) onDrop(file)
      }}
    >
      <FileSpreadsheet size={26} strokeWidth={1.5} aria-hidden="true" />
      <Text textStyle="dense" color="fg.muted" maxW="420px">
        {text ?? t('import.text')}
      </Text>
      <Button data-autofocus="" mt="1" onClick={onChoose}>
        {choose ?? t('import.choose')}
      </Button>
    </Stack>
  )
}

interface FileInputProps {
  readonly ref: RefObject<HTMLInputElement | null>
  /** Endings and types of file names that can be chosen, `.csv,text/csv`. */
  readonly accept: string
  readonly label: string
  onChoose(file: File): void
}

/** The input behind a picker, which is clicked for it. */
export const FileInput = ({ ref, accept, label, onChoose }: FileInputProps) => (
  <chakra.input
    ref={ref}
    type="file"
    accept={accept}
    hidden
    aria-label={label}
    onChange={event => {
      const file = event.target.files?.[0]
      // The same file can be chosen again after it was corrected.
      event.target.value = ''
      if (file !== undefined) onChoose(file)
    }}
  />
)
