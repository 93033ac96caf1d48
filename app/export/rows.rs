//! The positions of a table as CSV, JSON lines and Parquet.

use std::io::{self, Write};

use kibitzer::catalog::packed::Packed;
use serde_json::{Value, json};

use crate::cluster::StateFile;
use crate::failure::Failure;
use crate::table::RowFormat;

pub struct StateRows<'a> {
    table: &'a StateFile,
    packed: &'a dyn Packed,
    boards: bool,
    columns: Vec<&'static str>,
}

impl<'a> StateRows<'a> {
    pub fn new(table: &'a StateFile, packed: &'a dyn Packed, boards: bool) -> StateRows<'a> {
        let labels: &[&str] = match (table.meta.labels, table.meta.grundy) {
            (false, _) => &[],
            (true, false) => &["outcome", "length"],
            (true, true) => &["outcome", "length", "grundy"],
        };
        let columns = ["layer", "state"].into_iter().chain(labels.iter().copied()).chain(boards.then_some("board")).collect();
        StateRows { table, packed, boards, columns }
    }

    /// Calls `row` with the values of every row, in the order of the table.
    fn each(&self, mut row: impl FnMut(Vec<Value>) -> io::Result<()>) -> io::Result<()> {
        let labels = self.columns.len() - 2 - usize::from(self.boards);
        for entry in self.table.entries.iter() {
            let mut cursor = self.table.cursor(entry);
            let name = self.packed.layer_name(entry.layer);
            while cursor.advance().map_err(|halt| io::Error::other(Failure::from(halt)))? {
                let (state, label) = (cursor.head(), cursor.label());
                let hex: String = state.iter().map(|byte| format!("{byte:02x}")).collect();
                let mut values = vec![json!(name), json!(hex)];
                let worth = [json!(["P", "D", "N"][usize::from(label.score.min(2))]), json!(label.moves()), json!(label.grundy)];
                values.extend(worth.into_iter().take(labels));
                values.extend(self.boards.then(|| json!(self.packed.instance_of(state))));
                row(values)?;
            }
        }
        Ok(())
    }

    pub fn write(&self, format: RowFormat, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(format.header(&self.columns).as_bytes())?;
        self.each(|values| out.write_all(format.row(&self.columns, values).as_bytes()))
    }
}

#[cfg(feature = "parquet")]
mod parquet {
    use std::io::{self, Write};
    use std::sync::Arc;

    use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
    use parquet::errors::ParquetError;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use serde_json::Value;

    use super::StateRows;

    /// The number of rows in a row group.
    const GROUP: usize = 1 << 16;

    impl StateRows<'_> {
        /// Writes a Parquet file. Text columns are strings and numbers are 32-bit integers. The file's metadata contains the version and
        /// the board.
        pub fn parquet(&self, out: &mut dyn Write) -> io::Result<()> {
            let field = |name: &&str| match *name {
                // A draw by repetition has no length.
                "length" => "optional int32 length;".to_owned(),
                "grundy" => "required int32 grundy;".to_owned(),
                text => format!("required binary {text} (UTF8);"),
            };
            let schema = format!("message positions {{ {} }}", self.columns.iter().map(field).collect::<String>());
            let meta = &self.table.meta;
            let about =
                [("kibitzer", &meta.kibitzer), ("game", &meta.game), ("instance", &meta.instance), ("options", &meta.options.join(" "))];
            let about = about.map(|(key, value)| parquet::file::metadata::KeyValue::new(key.to_owned(), value.clone()));
            let properties = WriterProperties::builder()
                .set_created_by(format!("kibitzer {}", meta.kibitzer))
                .set_key_value_metadata(Some(about.to_vec()))
                .build();
            // The Parquet writer needs an owned buffer, which is flushed to the output after every row group.
            let schema = parse_message_type(&schema).map_err(io::Error::other)?;
            let writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties));
            let mut writer = writer.map_err(io::Error::other)?;
            let mut group: Vec<Vec<Value>> = Vec::new();
            self.each(|values| {
                group.push(values);
                if group.len() == GROUP {
                    self.write_group(&mut writer, &mut group).map_err(io::Error::other)?;
                    out.write_all(&std::mem::take(writer.inner_mut()))?;
                }
                Ok(())
            })?;
            self.write_group(&mut writer, &mut group).map_err(io::Error::other)?;
            out.write_all(&writer.into_inner().map_err(io::Error::other)?)
        }

        fn write_group(&self, writer: &mut SerializedFileWriter<Vec<u8>>, rows: &mut Vec<Vec<Value>>) -> Result<(), ParquetError> {
            if rows.is_empty() {
                return Ok(());
            }
            let mut group = writer.next_row_group()?;
            for (at, name) in self.columns.iter().enumerate() {
                let mut column = group.next_column()?.expect("the schema has this column");
                if ["length", "grundy"].contains(name) {
                    let numbers: Vec<i32> = rows.iter().filter_map(|row| Some(row[at].as_i64()? as i32)).collect();
                    let known: Vec<i16> = rows.iter().map(|row| i16::from(!row[at].is_null())).collect();
                    column.typed::<Int32Type>().write_batch(&numbers, (*name == "length").then_some(&*known), None)?;
                } else {
                    let texts: Vec<ByteArray> = rows.iter().map(|row| ByteArray::from(row[at].as_str().unwrap_or(""))).collect();
                    column.typed::<ByteArrayType>().write_batch(&texts, None, None)?;
                }
                column.close()?;
            }
            group.close()?;
            writer.flush()?;
            rows.clear();
            Ok(())
        }
    }
}
